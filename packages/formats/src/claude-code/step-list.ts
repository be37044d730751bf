import {
  CURRENT_TRACE_VERSION,
  createChainHasher,
  type JsonValue,
  type Message,
  type ToolDefinition,
  type Trace,
  type TraceHeader,
  type TraceStep,
  type TraceStepType,
  toStoredJson,
} from '@retake/trace'

/** The steps of a run whose history grows: a message is copied and checked once, and every later request shares it. */
export interface StepList {
  /** Adds to the history that the next request has. */
  say(message: Message): void
  request(rest: { tools: ToolDefinition[]; model?: string }, at: number): void
  add(type: Exclude<TraceStepType, 'model_input'>, payload: object, at: number): void
  toTrace(): Trace
}

/** A session can have thousands of turns; a recorder copies the whole history for each. */
export function createStepList({ id, createdAt }: TraceHeader): StepList {
  const steps: TraceStep[] = []
  const history: JsonValue[] = []
  const hash = createChainHasher()
  const push = (type: TraceStepType, payload: JsonValue, timestamp: number) => {
    const index = steps.length
    const hashed = { index, type, timestamp, payload, prevHash: steps.at(-1)?.hash ?? null }
    steps.push({ id: `${id}:${index}`, ...hashed, hash: hash(hashed) })
  }
  return {
    say: (message) => void history.push(toStoredJson(message, `message ${history.length}`)),
    request: (rest, at) => push('model_input', { messages: [...history], ...rest }, at),
    add: (type, payload, at) => push(type, toStoredJson(payload, `step ${steps.length} (${type})`), at),
    toTrace: () => ({ version: CURRENT_TRACE_VERSION, id, createdAt, steps }),
  }
}
