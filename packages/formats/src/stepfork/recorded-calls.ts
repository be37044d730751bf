import type { TokenJson, TokenObject } from '../json/tokens.ts'
import { type EventHead, headOf, type StepforkBundle, textOf } from './bundle.ts'

/** One call of a dependency in a bundle, with what became of it. */
export interface RecordedDependency {
  kind: 'tool' | 'llm'
  /** Name of the tool, or `provider/model`. */
  label: string
  event: TokenObject
  input: TokenJson
  policy: string
  status: 'ok' | 'error' | 'skipped'
  /** Null where the call failed or nothing was recorded. */
  output: TokenJson
  /** The event of the result; absent where nothing was recorded. */
  result?: TokenObject
  error?: { type: string; message: string }
}

interface Entry extends EventHead {
  event: TokenObject
}

/** The calls of a bundle in order, each with the result or the error that names it as parent, or its tool's next result. */
export function recordedDependencies({ events }: StepforkBundle): RecordedDependency[] {
  const entries = events.map((event): Entry => ({ ...headOf(event), event }))
  const taken = new Set<Entry>()
  const children = Map.groupBy(entries, ({ parentId }) => parentId)
  const child = (parent: Entry, type: string) =>
    children.get(parent.id)?.find((entry) => entry.type === type && !taken.has(entry))
  return entries.flatMap((entry, at): RecordedDependency[] => {
    if (entry.type === 'tool_call') {
      const result = child(entry, 'tool_result') ?? nextResult(entries, at, taken)
      if (result) taken.add(result)
      return [toToolCall(entry, result, result && child(result, 'error'))]
    }
    if (entry.type !== 'llm_request') return []
    return [toModelCall(entry, child(entry, 'llm_response'), child(entry, 'error'))]
  })
}

/** Where parents are not told: the next result of the tool, unless the tool is called again before it. */
function nextResult(entries: readonly Entry[], from: number, taken: ReadonlySet<Entry>): Entry | undefined {
  const name = entries[from]?.event.get('name')
  for (const entry of entries.slice(from + 1)) {
    if (entry.event.get('name') !== name) continue
    if (entry.type === 'tool_call') return undefined
    if (entry.type === 'tool_result' && !taken.has(entry)) return entry
  }
  return undefined
}

const statusOf = (event: TokenObject): RecordedDependency['status'] =>
  (textOf(event.get('status')) as RecordedDependency['status'] | undefined) ?? 'ok'

function common(call: Entry, kind: RecordedDependency['kind'], label: string, result: Entry | undefined) {
  return {
    kind,
    label,
    event: call.event,
    input: call.event.get('input') ?? null,
    policy: textOf(call.event.get('replay_policy')) ?? 'frozen',
    ...(result && { result: result.event }),
  }
}

function toToolCall(call: Entry, result: Entry | undefined, error: Entry | undefined): RecordedDependency {
  const failure = error ? errorOf(error.event) : result && errorOf(result.event.get('output'))
  return {
    ...common(call, 'tool', textOf(call.event.get('name')) ?? '', result),
    status: result ? statusOf(result.event) : 'skipped',
    output: result?.event.get('output') ?? null,
    ...(result && statusOf(result.event) === 'error' && failure && { error: failure }),
  }
}

function toModelCall(call: Entry, response: Entry | undefined, error: Entry | undefined): RecordedDependency {
  const [provider, model] = [textOf(call.event.get('provider')), textOf(call.event.get('model'))]
  const failure = response ? undefined : error && errorOf(error.event)
  return {
    ...common(call, 'llm', provider ? `${provider}/${model}` : (model ?? ''), response ?? error),
    status: response ? statusOf(response.event) : error ? 'error' : 'skipped',
    output: response?.event.get('output') ?? null,
    ...(failure && { error: failure }),
  }
}

function errorOf(value: TokenJson | undefined): RecordedDependency['error'] {
  if (!(value instanceof Map)) return undefined
  const [type, message] = [textOf(value.get('error_type')), textOf(value.get('message'))]
  return type === undefined ? undefined : { type, message: message ?? '' }
}

/** Without those that ran inside another recorded call: a replay gives that one's result and never gets there. */
export function withoutNested(calls: readonly RecordedDependency[], { events }: StepforkBundle): RecordedDependency[] {
  const parents = new Map(events.map(headOf).map(({ id, parentId }) => [id, parentId]))
  const callIds = new Set(calls.map(({ event }) => headOf(event).id))
  const callOf = new Map(
    calls.flatMap(({ event, result }) => (result ? [[headOf(result).id, headOf(event).id] as const] : [])),
  )
  const isNested = ({ event }: RecordedDependency): boolean => {
    const seen = new Set<string>()
    let parent = headOf(event).parentId
    while (parent !== undefined && !seen.has(parent)) {
      if (callIds.has(parent)) return true
      seen.add(parent)
      // What follows a result is outside of the call that gave it.
      parent = parents.get(callOf.get(parent) ?? parent)
    }
    return false
  }
  return calls.filter((call) => !isNested(call))
}
