import type { Difference } from '@retake/compare'
import type { JsonValue } from '@retake/trace'
import { formatPath, type JsonPath } from '@retake/trace'
import { byCodePoint } from '../json/code-point-order.ts'
import { toPlain } from '../json/plain-json.ts'
import type { TokenJson } from '../json/tokens.ts'
import type { FormatDiff } from '../run-format.ts'
import { headOf, type StepforkBundle, textOf } from './bundle.ts'
import { canonicalStepfork } from './canonical.ts'
import { recordedDependencies } from './recorded-calls.ts'
import { redactPayload } from './redact.ts'

/** One comparable unit of behaviour: ids, times and durations are no part of it. */
interface BehaviorStep {
  type: 'tool' | 'llm' | 'state' | 'error' | 'run'
  label: string
  payload: Record<string, TokenJson>
}

/**
 * Every change of behaviour between two bundles: calls with input, output and status, changes of state, errors, and how
 * the run ended. Steps are compared by position; the end of one run with the end of the other. `step` counts those.
 */
export function diffStepfork(baseline: StepforkBundle, candidate: StepforkBundle): FormatDiff {
  const [one, other] = [behaviorOf(baseline), behaviorOf(candidate)]
  const ends = one.at(-1)?.type === 'run' && other.at(-1)?.type === 'run' ? [one.pop(), other.pop()] : []
  const length = Math.max(one.length, other.length)
  const differences = Array.from({ length }, (_, step) => compareSteps(step, one[step], other[step])).flat()
  differences.push(...compareSteps(length, ends[0], ends[1]))
  return { firstDivergence: differences[0]?.step ?? null, differences }
}

function behaviorOf(bundle: StepforkBundle): BehaviorStep[] {
  const calls = new Map(recordedDependencies(bundle).map((call) => [call.event, call]))
  const clean = (value: TokenJson | undefined) => redactPayload(value ?? null).value
  return bundle.events.flatMap((event): BehaviorStep[] => {
    const call = calls.get(event)
    if (call) {
      const { kind, label, input, output, status } = call
      return [{ type: kind, label, payload: { input: clean(input), output: clean(output), status } }]
    }
    const { type } = headOf(event)
    const text = (name: string) => textOf(event.get(name)) ?? ''
    if (type === 'state_change') {
      const payload = { before: clean(event.get('before')), after: clean(event.get('after')) }
      return [{ type: 'state', label: text('key') || 'state', payload }]
    }
    if (type === 'error')
      return [{ type, label: text('error_type'), payload: { message: clean(event.get('message')) } }]
    if (type !== 'run_end') return []
    return [
      { type: 'run', label: 'run', payload: { run_status: text('run_status'), output: clean(event.get('output')) } },
    ]
  })
}

type StepDifference = Difference & { step: number }

function compareSteps(step: number, one: BehaviorStep | undefined, other: BehaviorStep | undefined): StepDifference[] {
  const name = ({ type, label }: BehaviorStep): JsonValue => ({ type, label })
  if (!one || !other) {
    if (!one && !other) return []
    return [one ? removed(step, [], name(one)) : added(step, [], other ? name(other) : null)]
  }
  const differences: StepDifference[] = []
  if (one.type !== other.type) differences.push(changed(step, ['type'], one.type, other.type))
  if (one.label !== other.label) differences.push(changed(step, ['label'], one.label, other.label))
  const names = union(Object.keys(one.payload), Object.keys(other.payload))
  return [
    ...differences,
    ...names.flatMap((name) => compareMembers(step, [name], one.payload[name], other.payload[name])),
  ]
}

const union = (a: Iterable<string>, b: Iterable<string>): string[] => [...new Set([...a, ...b])].sort(byCodePoint)

function compareMembers(
  step: number,
  path: JsonPath,
  one: TokenJson | undefined,
  other: TokenJson | undefined,
): StepDifference[] {
  if (one === undefined) return other === undefined ? [] : [added(step, path, toPlain(other))]
  if (other === undefined) return [removed(step, path, toPlain(one))]
  if (canonicalStepfork(one) === canonicalStepfork(other)) return []
  if (one instanceof Map && other instanceof Map) {
    return union(one.keys(), other.keys()).flatMap((key) =>
      compareMembers(step, [...path, key], one.get(key), other.get(key)),
    )
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return Array.from({ length: Math.max(one.length, other.length) }, (_, at) =>
      compareMembers(step, [...path, at], one[at], other[at]),
    ).flat()
  }
  return [changed(step, path, printed(one, other), printed(other, one))]
}

/** A number that is the same for JavaScript is told as it was written. */
const printed = (value: TokenJson, than: TokenJson): JsonValue => {
  const plain = toPlain(value)
  return typeof plain === 'number' && plain === toPlain(than) ? canonicalStepfork(value) : plain
}

const added = (step: number, path: JsonPath, after: JsonValue): StepDifference => ({
  step,
  path: formatPath(path),
  kind: 'added',
  after,
})
const removed = (step: number, path: JsonPath, before: JsonValue): StepDifference => ({
  step,
  path: formatPath(path),
  kind: 'removed',
  before,
})
const changed = (step: number, path: JsonPath, before: JsonValue, after: JsonValue): StepDifference => ({
  step,
  path: formatPath(path),
  kind: 'changed',
  before,
  after,
})
