import { type JsonValue, type ToolCall, type ToolDefinition, type Trace, terminalOutcome } from '@retake/trace'
import { compareValues } from '../compare-values.ts'
import { diffOutcome } from '../diff-outcome.ts'
import { diffTracesSemantic } from '../diff-traces.ts'
import { equalJson } from '../equal-json.ts'
import { alignConversations, type UtterancePair } from './align-conversations.ts'
import { type BehaviorArea, behaviorAreas, type Change, changeKey, type RequestArea, requestAreas } from './change.ts'
import type { Call, Event, Result, Said, Sent, Setting } from './utterance.ts'

/** What one run does differently from another, and what it was asked differently. */
export interface RunComparison {
  /** The two conversations side by side. Empty where the runs are the same. */
  conversation: UtterancePair[]
  /** What the agent does: outcome, calls, arguments, answers. Weightiest first. */
  behavior: Change<BehaviorArea>[]
  /** What it is asked and given: prompts, tools, messages, and results of calls that are the same. */
  requests: Change<RequestArea>[]
}

/**
 * Compares two runs as conversations. Each change is told once, however many requests repeat it; nothing changed exactly
 * where `diffTracesSemantic` finds no divergence.
 */
export const compareRuns = (before: Trace, after: Trace): RunComparison => {
  const diff = diffTracesSemantic(before, after)
  if (!diff.hasDivergence) return { conversation: [], behavior: [], requests: [] }
  const conversation = alignConversations(before, after)
  const found = [
    ...compareEnds(before, after),
    ...conversation.flatMap((pair) => (pair.equal ? [] : comparePair(pair))),
  ]
  const changes = [...new Map(found.map((change) => [changeKey(change), change])).values()]
  const behavior = select(changes, behaviorAreas)
  const requests = select(changes, requestAreas)
  if (changes.length === 0) {
    requests.push(
      ...diff.differences.map(({ step, path, kind, ...values }) => ({
        area: 'other' as const,
        name: path === '' ? `step ${step}` : `step ${step} ${path}`,
        kind,
        ...values,
      })),
    )
  }
  return { conversation, behavior, requests }
}

const select = <Area extends string>(changes: Change[], areas: readonly Area[]): Change<Area>[] =>
  areas.flatMap((area) => changes.filter((change) => change.area === area) as Change<never>[])

/** How both runs ended, and with what; an answer that the conversation tells is told there. */
const compareEnds = (before: Trace, after: Trace): Change[] => {
  const { statusChanged, finalAnswerChanged, parentResult, childResult } = diffOutcome(before, after)
  if (statusChanged) return changed('outcome', '', formatEnd(before), formatEnd(after))
  if (!finalAnswerChanged) return []
  const area = terminalOutcome(after).status === 'error' ? 'outcome' : 'answer'
  return changed(area, '', parentResult, childResult)
}

const formatEnd = (trace: Trace): string => {
  const outcome = terminalOutcome(trace)
  return outcome.status === 'error' ? `error: ${outcome.reason}` : outcome.status
}

const changed = (area: Change['area'], name: string, before?: JsonValue, after?: JsonValue): Change[] => {
  if (equalJson(before, after)) return []
  if (before === undefined) return [{ area, name, kind: 'added', ...(after !== undefined && { after }) }]
  return after === undefined
    ? [{ area, name, kind: 'removed', before }]
    : [{ area, name, kind: 'changed', before, after }]
}

const comparePair = ({ before, after }: UtterancePair): Change[] => {
  switch ((after ?? before)?.kind) {
    case 'setting':
      return compareSettings(before as Setting | undefined, after as Setting | undefined)
    case 'sent':
      return compareSent(before as Sent | undefined, after as Sent | undefined)
    case 'said':
      return compareSaid(before as Said | undefined, after as Said | undefined)
    case 'call':
      return compareCalls(before as Call | undefined, after as Call | undefined)
    case 'result':
      return compareResults(before as Result | undefined, after as Result | undefined)
    case 'event':
      return compareEvents(before as Event | undefined, after as Event | undefined)
    default:
      return []
  }
}

const compareSettings = (before: Setting | undefined, after: Setting | undefined): Change[] => {
  const [name, old, young] = [(after ?? before)?.name ?? '', toValue(before), toValue(after)]
  if (name === 'model') return changed('model', '', old, young)
  if (name === 'systemPrompt') return changed('system', '', old, young)
  if (name === 'tools') return compareToolLists(old, young)
  return compareValues(old ?? {}, young ?? {}).flatMap(({ path, before: one, after: other }) =>
    changed('param', [...(name === 'params' ? [] : [name]), ...(path === '' ? [] : [path])].join('.'), one, other),
  )
}

const toValue = (setting: Setting | undefined): JsonValue | undefined => setting?.value ?? undefined

const compareToolLists = (before: JsonValue | undefined, after: JsonValue | undefined): Change[] => {
  const [ones, others] = [toTools(before), toTools(after)]
  return [...new Set([...ones.keys(), ...others.keys()])].flatMap((name) =>
    changed('tool', name, ones.get(name), others.get(name)),
  )
}

/** By name; two of one name are told apart by their place. */
const toTools = (value: JsonValue | undefined): Map<string, JsonValue> => {
  const tools = new Map<string, JsonValue>()
  for (const tool of (value ?? []) as ToolDefinition[]) {
    const nth = [...tools.keys()].filter((name) => name.split('#')[0] === tool.name).length
    tools.set(nth === 0 ? tool.name : `${tool.name}#${nth + 1}`, tool)
  }
  return tools
}

const compareSent = (before: Sent | undefined, after: Sent | undefined): Change[] =>
  changed('message', (after ?? before)?.role ?? '', toSentValue(before), toSentValue(after))

const toSentValue = (sent: Sent | undefined): JsonValue | undefined => {
  if (!sent) return undefined
  if (sent.part.type === 'text') return sent.part.text
  return { ...sent.part, ...('toolCallId' in sent.part && { toolCallId: '' }) }
}

const compareSaid = (before: Said | undefined, after: Said | undefined): Change[] => {
  const said = after ?? before
  const isAnswer = said?.isAnswer === true && said.type === 'text'
  return [
    ...changed(isAnswer ? 'answer' : 'reply', isAnswer ? '' : (said?.type ?? ''), before?.text, after?.text),
    ...compareStops(before, after),
  ]
}

/** Why the model stopped, where both sides say something. */
const compareStops = (before: Said | Call | undefined, after: Said | Call | undefined): Change[] =>
  before && after ? changed('reply', 'stop', before.stop ?? null, after.stop ?? null) : []

const compareCalls = (before: Call | undefined, after: Call | undefined): Change[] => {
  if (!before || !after) {
    return changed('call', nameOf(before ?? after), before && toInput(before.call), after && toInput(after.call))
  }
  const name = nameOf(after)
  const inputs = compareValues(before.call.toolInput, after.call.toolInput)
  const differences = inputs.length > 0 ? inputs : compareValues(toInput(before.call), toInput(after.call))
  return [
    ...differences.flatMap(({ path, before: one, after: other }) =>
      changed('argument', joinPath(name, path), one, other),
    ),
    ...compareStops(before, after),
  ]
}

const nameOf = (utterance: Call | undefined): string => utterance?.call.toolName ?? ''

const joinPath = (name: string, path: string): string =>
  path === '' || path.startsWith('[') ? `${name}${path}` : `${name}.${path}`

/** The argument text only where the value does not tell all of it. */
const toInput = (call: ToolCall | undefined): JsonValue => call?.inputText ?? call?.toolInput ?? null

/** A result that is other because the call is other goes without saying, and so does one more or less. */
const compareResults = (before: Result | undefined, after: Result | undefined): Change[] =>
  before && after && equalJson(toInput(before.call), toInput(after.call))
    ? changed('result', after.toolName, toResult(before), toResult(after))
    : []

const toResult = ({ value, isError }: Result): JsonValue => (isError ? { error: value } : value)

/** The end of a run is told by its outcome. */
const compareEvents = (before: Event | undefined, after: Event | undefined): Change[] => {
  const event = String((after ?? before)?.payload.event)
  return event === 'run_failed' ? [] : changed('attempt', event, before?.payload, after?.payload)
}
