import { toModelOutput } from '@retake/providers'
import {
  type JsonValue,
  type ModelInput,
  maskMarkers,
  maskSecrets,
  type SecretLiteral,
  type StepExtras,
  type ToolUsePart,
  type Trace,
  type TraceHeader,
  TraceRecorder,
} from '@retake/trace'
import { type CallIds, createCallIds } from './call-ids.ts'
import { type Attempt, type Exchange, type LoggedCall, type RunLog, replyOf } from './run-log.ts'

export interface RecordedRun {
  trace: Trace
  /** What no v2 payload may hold, by step. */
  extras: StepExtras[]
}

interface LayOut {
  /** Literal values that must not be stored, for error messages. */
  secrets?: readonly SecretLiteral[]
  /** Milliseconds since the epoch; given when the run is over. */
  endedAt?: number
}

/**
 * Lays a run out as a trace: calls by the start of their request, each with its failed attempts, its reply and the tool
 * steps of that reply in call order, whatever finished first (FORMAT rule 10).
 */
export function toTrace(log: RunLog, header: TraceHeader, { secrets = [], endedAt }: LayOut = {}): RecordedRun {
  const recorder = new TraceRecorder(header)
  const ids = createCallIds()
  const extras: RecordedRun['extras'] = []
  for (const call of log.early) appendTool(recorder, { ...call, toolCallId: ids.next() }, 'agent')
  for (const exchange of log.exchanges) {
    recorder.append('model_input', inPublishedOrder(ids.inRequest(exchange.input)), exchange.startedAt)
    for (const attempt of exchange.attempts) append(recorder, attempt, ids, extras, exchange, secrets)
    for (const call of exchange.extraCalls) appendTool(recorder, { ...call, toolCallId: ids.next() }, 'agent')
  }
  if (endedAt !== undefined) appendTerminal(recorder, log, endedAt)
  return { trace: recorder.toTrace(), extras }
}

/** The terminal step of a run that ended well, where its last reply was an answer. */
function appendTerminal(recorder: TraceRecorder, log: RunLog, at: number): void {
  const last = log.exchanges.at(-1)
  const reply = last && replyOf(last)
  const output = reply && toModelOutput(reply.turn)
  if (output?.type !== 'final_answer') return
  recorder.append('metadata', { event: 'run_completed', status: 'success', result: output.text }, at)
}

function append(
  recorder: TraceRecorder,
  attempt: Attempt,
  ids: CallIds,
  extras: RecordedRun['extras'],
  exchange: Exchange,
  secrets: readonly SecretLiteral[],
): void {
  if ('error' in attempt) {
    const { parts, message, error: body, ...rest } = attempt.error
    const mask = (text: string) => maskMarkers(maskSecrets(text, secrets))
    const payload = {
      event: 'model_error',
      ...(mapTexts(rest, mask) as typeof rest),
      message: mask(message),
      ...(body !== undefined && { error: mapTexts(body, mask) }),
      ...(parts && { parts: ids.inReply({ parts, stop: 'end' }).parts }),
    }
    recorder.append('metadata', payload, attempt.at)
    return
  }
  const turn = ids.inReply(attempt.reply.turn)
  const step = recorder.append('model_output', toModelOutput(turn), attempt.at)
  if (Object.keys(attempt.reply.extras).length > 0) extras.push({ step: step.index, ...attempt.reply.extras })
  const calls = turn.parts.filter((part): part is ToolUsePart => part.type === 'tool_use')
  for (const [n, call] of calls.entries()) {
    const logged = exchange.calls[n]
    if (logged) appendTool(recorder, { ...logged, toolCallId: call.toolCallId })
  }
}

function appendTool(recorder: TraceRecorder, { toolCallId, toolName, run }: LoggedCall, origin?: 'agent'): void {
  if (!run?.result || run.endedAt === undefined) return
  const call = { toolCallId, toolName, toolInput: run.toolInput, ...(origin && { origin }) }
  recorder.append('tool_call', call, run.startedAt)
  recorder.append('tool_result', { toolCallId, toolName, ...run.result }, run.endedAt)
}

/** Members in the order of the published v2 files. */
function inPublishedOrder({ messages, tools, systemPrompt, model, params }: ModelInput): ModelInput {
  return {
    messages,
    tools,
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(model !== undefined && { model }),
    ...(params && Object.keys(params).length > 0 && { params }),
  }
}

/** A copy with every text in it changed; names of members stay. */
const mapTexts = (value: JsonValue, change: (text: string) => string): JsonValue => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]))
}
