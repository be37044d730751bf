import { toComparable } from '@retake/compare'
import { fromModelOutput, type ReplyExtras, toModelOutput, type WireError } from '@retake/providers'
import {
  type CassetteFile,
  type JsonValue,
  type ModelError,
  type ModelInput,
  type ModelOutput,
  type StepExtras,
  type ToolCallPayload,
  type ToolResultPayload,
  type Trace,
  toolCallsOf,
} from '@retake/trace'

import type { Comparison } from '../comparison.ts'
import type { Redaction } from '../redact/redaction.ts'

/** One model call of a cassette, and how much of it was given back already. */
export interface RecordedCall {
  /** Index of the model_input step. */
  readonly step: number
  /** Number of the request, from 1. */
  readonly number: number
  readonly input: ModelInput
  /** In the form requests are compared in; made when it is first needed. */
  readonly comparable: () => ModelInput
  readonly startedAt: number
  /** Time of the last attempt; calls that overlap may be replayed in any order. */
  endedAt: number
  readonly attempts: RecordedAttempt[]
  /** Attempts given so far. */
  served: number
}

export type RecordedAttempt = { step: number; at: number } & (
  | { output: ModelOutput; extras?: ReplyExtras }
  | { error: WireError }
  /** Of a run that is to go on: whoever goes on gives the reply. */
  | { next: true }
)

/** One tool call of a cassette with its result, or a request over HTTP. */
export interface RecordedTool {
  readonly step: number
  readonly call: ToolCallPayload
  readonly result: ToolResultPayload
  /** Time of the result. */
  readonly at: number
  /** The model call whose reply asked for it; none if the agent's own code made it. */
  readonly asked: RecordedCall | undefined
  used: boolean
}

/** A call over HTTP, and none of a wrapped tool. */
export const isHttp = ({ call }: RecordedTool): boolean => call.origin !== undefined && call.origin !== 'agent'

export interface RecordedRun {
  readonly trace: Trace
  /** What is kept of the replies beside the trace. */
  readonly extras: readonly StepExtras[]
  readonly calls: RecordedCall[]
  readonly tools: RecordedTool[]
}

/** Reads the steps of a verified cassette as model calls and tool calls, redacted and prepared as those of the test. */
export function toRecordedRun(
  { trace, extras: listed }: Pick<CassetteFile, 'trace' | 'extras'>,
  { prepare, redaction }: Comparison,
): RecordedRun {
  const extras = new Map(listed.map(({ step, ...rest }) => [step, rest as ReplyExtras]))
  const calls: RecordedCall[] = []
  const tools: RecordedTool[] = []
  const askedBy = new Map<string, RecordedCall>()
  const open = new Map<string, { step: number; call: ToolCallPayload }>()
  for (const { index: step, type, timestamp: at, payload } of trace.steps) {
    const latest = calls.at(-1)
    if (type === 'model_input') {
      calls.push(toCall(prepare(payload as ModelInput), step, calls.length + 1, at))
    } else if (type === 'model_output' && latest) {
      const output = payload as ModelOutput
      const known = extras.get(step)
      add(latest, { step, at, ...redactedReply(output, known, redaction) })
      for (const { toolCallId } of toolCallsOf(output)) askedBy.set(toolCallId, latest)
    } else if (type === 'metadata' && latest && isModelError(payload)) {
      const { event: _, ...error } = payload as ModelError
      add(latest, { step, at, error: redaction?.error(error) ?? error })
    } else if (type === 'tool_call') {
      const call = payload as ToolCallPayload
      const toolInput = redaction?.toolInput(call.toolInput) ?? call.toolInput
      open.set(call.toolCallId, { step, call: { ...call, toolInput } })
    } else if (type === 'tool_result') {
      const stored = payload as ToolResultPayload
      const result = redaction?.result(stored) ?? stored
      const started = open.get(result.toolCallId)
      open.delete(result.toolCallId)
      const asked = started?.call.origin ? undefined : askedBy.get(result.toolCallId)
      if (started) tools.push({ ...started, result, at, asked, used: false })
    }
  }
  return { trace, extras: listed, calls, tools }
}

function redactedReply(output: ModelOutput, extras: ReplyExtras | undefined, redaction: Redaction | undefined) {
  if (!redaction) return { output, ...(extras && { extras }) }
  const reply = redaction.reply({ turn: fromModelOutput(output), extras: extras ?? {} })
  return { output: toModelOutput(reply.turn), extras: reply.extras }
}

const isModelError = (payload: JsonValue): boolean =>
  typeof payload === 'object' && payload !== null && 'event' in payload && payload.event === 'model_error'

function toCall(input: ModelInput, step: number, number: number, startedAt: number): RecordedCall {
  let form: ModelInput | undefined
  const comparable = (): ModelInput => {
    form ??= toComparable(input)
    return form
  }
  return { step, number, input, comparable, startedAt, endedAt: Number.POSITIVE_INFINITY, attempts: [], served: 0 }
}

function add(call: RecordedCall, attempt: RecordedAttempt): void {
  call.attempts.push(attempt)
  call.endedAt = attempt.at
}
