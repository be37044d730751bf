import {
  ConfigError,
  createChainHasher,
  isJsonObject,
  type JsonValue,
  type ModelOutput,
  type Trace,
  type TraceStep,
  type TraceStepType,
  toolCallsOf,
  toStoredJson,
} from '@retake/trace'
import { nextToolCallId } from './tool-call-ids.ts'

/** A step that has no place yet. */
export interface NewStep {
  type: TraceStepType
  /** Copied as JSON holds it. */
  payload: unknown
  /** Milliseconds since the epoch. */
  timestamp: number
}

/**
 * A run with more steps at its end; the one given stays as it is.
 * @throws ConfigError for a call whose id the run has used already: new ones start at `nextToolCallId`
 * @throws UnsupportedError for a payload that JSON cannot hold
 */
export const continueTrace = (trace: Trace, steps: readonly NewStep[]): Trace => {
  const hash = createChainHasher()
  const continued: TraceStep[] = [...trace.steps]
  const taken = new Set(trace.steps.flatMap(newCallsOf))
  for (const { type, payload, timestamp } of steps) {
    const index = continued.length
    const stored = toStoredJson(payload, `step ${index} (${type})`)
    for (const key of newCallsOf({ type, payload: stored })) {
      if (taken.has(key)) throw repeatedCall(index, key, trace)
      taken.add(key)
    }
    const hashed = { index, type, timestamp, payload: stored, prevHash: continued.at(-1)?.hash ?? null }
    continued.push({ id: `${trace.id}:${index}`, ...hashed, hash: hash(hashed) })
  }
  return { ...trace, steps: continued }
}

/** What makes a call new, as `asked call-0` and `called call-0`: it is asked for once and runs once. */
const newCallsOf = ({ type, payload }: { type: TraceStepType; payload: JsonValue }): string[] => {
  if (!isJsonObject(payload)) return []
  if (type === 'tool_call') return [`called ${payload.toolCallId}`]
  if (type !== 'model_output') return []
  return toolCallsOf(payload as ModelOutput).map(({ toolCallId }) => `asked ${toolCallId}`)
}

const repeatedCall = (step: number, key: string, trace: Trace): ConfigError => {
  const [, id = ''] = key.split(' ')
  return new ConfigError(
    `step ${step} has the call ${JSON.stringify(id)} again; the next free id is ${nextToolCallId(trace)}`,
    { step },
  )
}
