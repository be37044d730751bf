import {
  CassetteCorruptError,
  ConfigError,
  type JsonValue,
  type ToolResultPayload,
  type Trace,
  type TraceStep,
  verifyTrace,
} from '@retake/trace'
import { continueTrace, type NewStep } from './continue-trace.ts'

/** Where a run goes another way than its parent, and with what. */
export interface ForkOptions {
  /** Index of the fork point: any step of the parent but metadata. The child starts with the steps before it. */
  at: number
  /** Other results for tool_result steps before the fork point, by their index. */
  toolResultMutations?: Readonly<Record<number, JsonValue>>
  /** The result at the fork point itself, which is a tool_result then; the child ends with it. */
  set?: JsonValue
  /** [the parent's with `-fork` behind it] */
  id?: string
  /** Milliseconds since the epoch. [now] */
  createdAt?: number
}

/**
 * The beginning of a run that goes another way than its parent, to be continued with `continueTrace`. Steps before the
 * first change are the parent's own, with their times, ids and hashes; from there on they keep their times only.
 * (Trace format page, "Fork Policy".)
 * @throws ConfigError for a fork point, a changed result or a header that the format does not allow
 * @throws CassetteCorruptError for a parent that does not verify
 */
export const forkTrace = (parent: Trace, options: ForkOptions): Trace => {
  refuseBroken(parent)
  const { at, set } = options
  const point = findForkPoint(parent, at)
  const changes = findChanges(parent, options)
  if (set !== undefined) {
    if (point.type !== 'tool_result') throw refusal(`step ${at} is a ${point.type}, so it has no result to set`, at)
    changes.set(at, set)
  }
  const first = Math.min(at, ...changes.keys())
  const child: Trace = {
    version: parent.version,
    id: findId(parent, options),
    createdAt: findTime(options),
    steps: parent.steps.slice(0, first).map((step) => ({ ...step })),
    parentId: parent.id,
    forkedFromStepId: point.id,
  }
  const again = parent.steps.slice(first, set === undefined ? at : at + 1)
  return continueTrace(
    child,
    again.map((step) => withChange(step, changes)),
  )
}

const refusal = (message: string, step?: number): ConfigError =>
  new ConfigError(`the trace cannot be forked: ${message}`, step === undefined ? {} : { step })

const refuseBroken = (parent: Trace): void => {
  const broken = verifyTrace(parent).checks.find(({ status }) => status === 'fail')
  if (!broken) return
  const { name, where, detail } = broken
  throw new CassetteCorruptError(
    `the trace cannot be forked, for it does not verify: ${name}${where === undefined ? '' : ` at ${where}`}, ${detail}`,
    { check: name, where },
  )
}

const findForkPoint = ({ steps }: Trace, at: number): TraceStep => {
  const point = Number.isInteger(at) ? steps[at] : undefined
  if (!point) throw refusal(`the fork point is the index of one of its ${steps.length} steps, not ${at}`)
  if (point.type === 'metadata') {
    throw refusal(`step ${at} is metadata, from which no run goes on; fork at a step before it`, at)
  }
  return point
}

const canonicalIndex = /^(?:0|[1-9]\d*)$/

const findChanges = ({ steps }: Trace, { at, toolResultMutations = {} }: ForkOptions): Map<number, JsonValue> => {
  const changes = new Map<number, JsonValue>()
  for (const [key, result] of Object.entries(toolResultMutations)) {
    const index = Number(key)
    if (!canonicalIndex.test(key))
      throw refusal(`toolResultMutations has the key "${key}", which is no index of a step`)
    if (index >= at)
      throw refusal(`toolResultMutations changes step ${index}, which is not before the fork point ${at}`, index)
    const type = steps[index]?.type
    if (type !== 'tool_result')
      throw refusal(`toolResultMutations changes step ${index}, a ${type}; only a tool_result can change`, index)
    changes.set(index, result)
  }
  const first = Math.min(at, ...changes.keys())
  const stale = steps.findIndex(({ type }, index) => type === 'model_input' && index > first && index < at)
  if (stale >= 0) {
    throw refusal(
      `the changed result of step ${first} would leave the model_input at step ${stale} stale; fork at ${stale} or before`,
      stale,
    )
  }
  return changes
}

const withChange = (
  { index, type, timestamp, payload }: TraceStep,
  changes: ReadonlyMap<number, JsonValue>,
): NewStep => {
  if (!changes.has(index)) return { type, timestamp, payload }
  const { toolCallId, toolName } = payload as ToolResultPayload
  return { type, timestamp, payload: { toolCallId, toolName, result: changes.get(index) } }
}

const findId = (parent: Trace, { id = `${parent.id}-fork` }: ForkOptions): string => {
  if (typeof id !== 'string' || id === '') throw refusal('its id is a text that is not empty')
  if (id === parent.id) throw refusal('it needs another id than its parent')
  return id
}

const findTime = ({ createdAt = Date.now() }: ForkOptions): number => {
  if (!Number.isSafeInteger(createdAt)) throw refusal('createdAt is in whole milliseconds since the epoch')
  return createdAt
}
