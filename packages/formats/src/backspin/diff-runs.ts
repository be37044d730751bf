import type { JsonObject, JsonValue } from '@retake/trace'
import { plainOf } from '../json/plain-json.ts'
import { printPython } from '../json/print-python.ts'
import type { TokenJson, TokenObject } from '../json/tokens.ts'
import type { FormatDiff } from '../run-format.ts'
import type { BackspinRun } from './run-file.ts'

/** What a step did, as backspin compares it: durations, tokens, arguments, results and answers do not count. */
type Signature = readonly [member: string, value: string | null]

/** Where two runs part, step by step in their order: the kind of each, its fingerprint, tool or message. */
export function diffBackspin(first: BackspinRun, second: BackspinRun): FormatDiff {
  const length = Math.max(first.events.length, second.events.length)
  const differences = Array.from({ length }, (_, step) =>
    compareSteps(step, first.events[step]?.members, second.events[step]?.members),
  ).flat()
  return { firstDivergence: differences[0]?.step ?? null, differences }
}

function compareSteps(step: number, one: TokenObject | undefined, other: TokenObject | undefined) {
  if (!one) return other ? [{ step, path: '', kind: 'added' as const, after: describe(other) }] : []
  if (!other) return [{ step, path: '', kind: 'removed' as const, before: describe(one) }]
  const changed = (path: string, before: JsonValue, after: JsonValue) => [
    { step, path, kind: 'changed' as const, before, after },
  ]
  if (one.get('kind') !== other.get('kind')) return changed('kind', kindOf(one), kindOf(other))
  const [[member, before], [, after]] = [signatureOf(one), signatureOf(other)]
  return before === after ? [] : changed(member, before, after)
}

const kindOf = (event: TokenObject): JsonValue => plainOf(event.get('kind')) ?? null

function signatureOf(event: TokenObject): Signature {
  if (event.get('kind') === 'llm') {
    const stored = event.get('fingerprint') ?? null
    if (stored !== null) return ['fingerprint', text(stored)]
    const request = event.get('request')
    return ['request.messages', text(request instanceof Map ? request.get('messages') : undefined)]
  }
  if (event.get('kind') === 'tool') return ['name', text(event.get('name'))]
  return event.get('message') ? ['message', text(event.get('message'))] : ['error_type', text(event.get('error_type'))]
}

const text = (value: TokenJson | undefined): string | null => {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : printPython(value)
}

const describe = (event: TokenObject): JsonObject => {
  const [member, value] = signatureOf(event)
  return { kind: kindOf(event), [member]: value }
}
