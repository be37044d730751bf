import { type CallIds, createCallIds, httpName, toModelError, toModelInput, toModelOutput } from '@retake/providers'
import {
  finalAnswerOf,
  isJsonObject,
  type ModelOutput,
  type SecretLiteral,
  type StepExtras,
  type ToolUsePart,
  type Trace,
  type TraceHeader,
  TraceRecorder,
} from '@retake/trace'
import type { Redaction } from '../redact/redaction.ts'
import { type RunEnd, toTerminal } from '../run-end.ts'
import type { RunBeginning } from './run-beginning.ts'
import { type Attempt, type LoggedCall, type RunLog, replyOf } from './run-log.ts'

export interface RecordedRun {
  trace: Trace
  /** What no v2 payload may hold, by step. */
  extras: StepExtras[]
  /** Of a fork: how many of its steps are the parent's own. */
  inherited?: number
}

interface LayOutOptions {
  /** Literal values that must not be stored, for error messages. */
  secrets?: readonly SecretLiteral[]
  redaction?: Redaction | undefined
  /** Given when the run is over. */
  ended?: Ended
}

interface Ended {
  /** Milliseconds since the epoch. */
  at: number
  end: RunEnd
}

/** A trace while it is laid out. */
interface Layout {
  recorder: TraceRecorder
  ids: CallIds
  extras: StepExtras[]
  secrets: readonly SecretLiteral[]
  redaction: Redaction | undefined
}

/**
 * Lays a run out as a trace: calls by the start of their request, each with its failed attempts, its reply and the tool
 * steps of that reply in call order, whatever finished first (FORMAT rule 10).
 * @throws ConfigError for a rule of `redact` that fails
 */
export function toTrace(log: RunLog, header: TraceHeader, options: LayOutOptions = {}): RecordedRun {
  const { secrets = [], redaction, ended } = options
  const layout: Layout = { recorder: new TraceRecorder(header), ids: createCallIds(), extras: [], secrets, redaction }
  const { recorder, ids, extras } = layout
  const { beginning } = log
  if (beginning) begin(layout, beginning)
  const appendOwn = (call: LoggedCall) => appendTool(layout, { ...call, toolCallId: ids.next() })
  for (const call of log.early) appendOwn(call)
  for (const exchange of log.exchanges) {
    // Ids go by what was said, so they are given first.
    const input = ids.inRequest(exchange.input)
    if (!exchange.begun) {
      recorder.append('model_input', toModelInput(redaction?.request(input) ?? input), exchange.startedAt)
    }
    for (const attempt of exchange.attempts) {
      if ('error' in attempt) appendError(layout, attempt)
      else appendReply(layout, attempt, exchange.calls)
    }
    for (const call of exchange.extraCalls) appendOwn(call)
  }
  if (ended) appendTerminal(layout, log, ended)
  return { trace: recorder.toTrace(), extras, ...(beginning && { inherited: beginning.steps.length }) }
}

/** The steps of the other run as they are, the one that is changed, and what its last reply asked for besides. */
function begin(layout: Layout, { steps, extras, changed, calls, nextCall }: RunBeginning): void {
  const { recorder, ids, redaction } = layout
  for (const step of steps) recorder.adopt(step)
  ids.adopt(steps, nextCall)
  layout.extras.push(...extras)
  if (changed) recorder.append('tool_result', redaction?.result(changed.payload) ?? changed.payload, changed.timestamp)
  for (const call of calls) appendTool(layout, call)
}

function appendTerminal({ recorder, redaction, secrets }: Layout, log: RunLog, { at, end }: Ended): void {
  const last = log.exchanges.at(-1)
  const output =
    last && replyOf(last) && recorder.toTrace().steps.findLast(({ type }) => type === 'model_output')?.payload
  const answer = output ? finalAnswerOf(output as ModelOutput) : undefined
  const terminal = toTerminal(end, { answer, redaction, secrets })
  if (terminal) recorder.append('metadata', terminal, at)
}

function appendError(
  { recorder, ids, secrets, redaction }: Layout,
  { at, error }: Extract<Attempt, { error: unknown }>,
) {
  const named = error.parts ? { ...error, parts: ids.inReply({ parts: error.parts, stop: 'end' }).parts } : error
  recorder.append('metadata', toModelError(redaction?.error(named) ?? named, secrets), at)
}

function appendReply(layout: Layout, { at, reply }: Extract<Attempt, { reply: unknown }>, made: LoggedCall[]): void {
  const { recorder, ids, extras, redaction } = layout
  const named = { ...reply, turn: ids.inReply(reply.turn) }
  const { turn, extras: beside } = redaction?.reply(named) ?? named
  const step = recorder.append('model_output', toModelOutput(turn), at)
  if (Object.keys(beside).length > 0) extras.push({ step: step.index, ...beside })
  const calls = turn.parts.filter((part): part is ToolUsePart => part.type === 'tool_use')
  for (const [n, call] of calls.entries()) {
    const logged = made[n]
    if (logged) appendTool(layout, { ...logged, toolCallId: call.toolCallId })
  }
}

function appendTool({ recorder, redaction }: Layout, call: LoggedCall): void {
  const { toolCallId, toolName: name, origin, begun, run } = call
  if (!run?.result || run.endedAt === undefined) return
  const toolInput = redaction?.toolInput(run.toolInput) ?? run.toolInput
  const result = redaction?.result(run.result) ?? run.result
  // The name is made of the URL, which may hold what was just taken out.
  const toolName = origin === 'http' && isJsonObject(toolInput) ? httpName(toolInput) : name
  if (!begun)
    recorder.append('tool_call', { toolCallId, toolName, toolInput, ...(origin && { origin }) }, run.startedAt)
  recorder.append('tool_result', { toolCallId, toolName, ...result }, run.endedAt)
}
