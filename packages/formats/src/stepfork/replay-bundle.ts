import {
  isRetakeError,
  type JsonValue,
  RecordedDependencyError,
  type RetakeError,
  StepforkReplayError,
} from '@retake/trace'
import { fromPlain, toPlain } from '../json/plain-json.ts'
import type { TokenJson, TokenObject } from '../json/tokens.ts'
import { type StepforkBundle, textOf } from './bundle.ts'
import { canonicalStepfork, stepforkHash } from './canonical.ts'
import { type RecordedDependency, recordedDependencies, withoutNested } from './recorded-calls.ts'
import { redactPayload } from './redact.ts'

/** Gives the recorded results of a bundle back, in its own order and for its own inputs only. */
export interface StepforkReplay {
  /** @throws StepforkReplayError for another call than recorded, RecordedDependencyError where that one failed */
  tool(name: string, input: JsonValue): JsonValue
  /** As `tool`. */
  llm(call: { provider?: string; model: string; input: JsonValue }): JsonValue
  /** How many recorded calls were not asked for yet. */
  readonly pending: number
  /** The first thing that went another way, also where the agent swallowed its error. */
  readonly divergence: RetakeError | undefined
  /** @throws the divergence, or a StepforkReplayError for recorded calls that nobody asked for */
  verifyComplete(): void
}

interface Asked {
  kind: RecordedDependency['kind']
  name: string
  provider?: string | undefined
  input: JsonValue
}

/**
 * A strict replay of the dependencies of a bundle. Inputs are redacted as the recorded ones were, then compared as
 * canonical JSON; a number like 1.0, which JavaScript cannot tell from 1, may be passed as it was recorded by JSON text.
 */
export function createStepforkReplay(bundle: StepforkBundle): StepforkReplay {
  const calls = withoutNested(recordedDependencies(bundle), bundle)
  let next = 0
  let divergence: RetakeError | undefined

  const answer = (asked: Asked): JsonValue => {
    try {
      const call = calls[next] ?? exhausted(asked, calls.length)
      checkIdentity(call, asked, next + 1)
      checkInput(call, asked, next + 1)
      checkPolicy(call, next + 1)
      checkOutput(call, next + 1)
      next++
      if (call.status === 'error') throw recordedFailure(call)
      return toPlain(call.output)
    } catch (error) {
      if (isRetakeError(error) && !(error instanceof RecordedDependencyError)) divergence ??= error
      throw error
    }
  }

  return {
    tool: (name, input) => answer({ kind: 'tool', name, input }),
    llm: ({ provider, model, input }) => answer({ kind: 'llm', name: model, provider, input }),
    get pending() {
      return calls.length - next
    },
    get divergence() {
      return divergence
    },
    verifyComplete() {
      if (divergence) throw divergence
      if (next < calls.length) throw incomplete(calls, next)
    },
  }
}

const mismatch = (call: number, lines: string[]) =>
  new StepforkReplayError(lines.join('\n'), { reason: 'mismatch', call })

const fingerprint = (value: TokenJson): string => (value === null ? '<none>' : stepforkHash(value))

const modelFingerprint = (provider: TokenJson, model: TokenJson): string =>
  stepforkHash(
    new Map([
      ['provider', provider],
      ['model', model],
    ]),
  )

function exhausted({ kind, name, input }: Asked, count: number): never {
  throw new StepforkReplayError(
    [
      `unexpected ${kind} call '${name}': all ${count} recorded dependency call(s) were already consumed`,
      `  actual input fingerprint: ${fingerprint(redactPayload(fromPlain(input)).value)}`,
    ].join('\n'),
    { reason: 'exhausted' },
  )
}

function checkIdentity({ kind, label, event }: RecordedDependency, asked: Asked, at: number): void {
  if (kind !== asked.kind) {
    throw mismatch(at, [
      `call #${at}: expected ${kind} '${label}' but the agent made a ${asked.kind} call '${asked.name}'`,
    ])
  }
  if (kind === 'tool') {
    if (label === asked.name) return
    throw mismatch(at, [`call #${at}: expected tool '${label}' but the agent called '${asked.name}'`])
  }
  const [provider, model] = [event.get('provider') ?? null, event.get('model') ?? null]
  const actual = asked.provider ?? null
  const prints = [
    `  recorded model fingerprint: ${modelFingerprint(provider, model)}`,
    `  actual model fingerprint:   ${modelFingerprint(actual, asked.name)}`,
  ]
  if (model !== asked.name) {
    throw mismatch(at, [`call #${at}: expected LLM model '${model}' but the agent used '${asked.name}'`, ...prints])
  }
  if (provider !== actual) {
    throw mismatch(at, [`call #${at}: expected provider '${provider}' but the agent used '${actual}'`, ...prints])
  }
}

function checkInput({ kind, label, event, input }: RecordedDependency, asked: Asked, at: number): void {
  checkHash(event, 'input_hash', input, `call #${at}: recorded ${kind} '${label}' has an invalid input fingerprint`, at)
  const actual = redactPayload(fromPlain(asked.input)).value
  if (canonicalStepfork(actual) === canonicalStepfork(input)) return
  const stored = textOf(event.get('input_hash'))
  throw mismatch(at, [
    `call #${at}: ${kind} '${label}' input diverged from the recording`,
    `  recorded input fingerprint: ${stored ?? `${fingerprint(input)} (computed; recording had no stored input_hash)`}`,
    `  actual input fingerprint:   ${fingerprint(actual)}`,
    `  recorded: ${preview(input)}`,
    `  actual:   ${preview(actual)}`,
  ])
}

function checkPolicy({ kind, label, policy, result }: RecordedDependency, at: number): void {
  const refuse = (reason: 'policy' | 'mismatch', message: string): never => {
    throw new StepforkReplayError(message, { reason, call: at })
  }
  if (policy === 'forbidden') refuse('policy', `recorded ${kind} call '${label}' forbids automatic replay`)
  if (policy === 'manual') refuse('policy', `recorded ${kind} call '${label}' requires manual approval before replay`)
  if (!result) refuse('mismatch', `no captured result for recorded ${kind} call '${label}' at position ${at}`)
}

function checkOutput({ kind, label, result, output, error }: RecordedDependency, at: number): void {
  if (!result || (kind === 'llm' && error)) return
  checkHash(
    result,
    'output_hash',
    output,
    `call #${at}: recorded ${kind} '${label}' has an invalid output fingerprint`,
    at,
  )
}

/** An edited recording may not be replayed. A stored hash that is not there is legacy, and fine. */
function checkHash(event: TokenObject, member: string, value: TokenJson, what: string, at: number): void {
  const stored = textOf(event.get(member))
  if (stored === undefined || stored === stepforkHash(value)) return
  throw mismatch(at, [what, '  Run `retake verify` on the bundle: it was edited after it was recorded.'])
}

const recordedFailure = ({ kind, label, error }: RecordedDependency) =>
  new RecordedDependencyError(
    `${kind} '${label}' failed in the recording: ${error?.type ?? 'DependencyError'}: ${error?.message ?? 'recorded dependency failure'}`,
    { kind, name: label, errorType: error?.type ?? 'DependencyError' },
  )

function incomplete(calls: readonly RecordedDependency[], next: number): StepforkReplayError {
  const left = calls.slice(next)
  const labels = left.slice(0, 5).map(({ kind, label }, at) => `#${next + at + 1} ${kind} ${label}`)
  const more = left.length > 5 ? ` (+${left.length - 5} more)` : ''
  return new StepforkReplayError(
    `replay ended before consuming ${left.length} recorded dependency call(s): ${labels.join(', ')}${more}`,
    { reason: 'incomplete', call: next + 1 },
  )
}

const longest = 200

function preview(value: TokenJson): string {
  const text = canonicalStepfork(value)
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text
}
