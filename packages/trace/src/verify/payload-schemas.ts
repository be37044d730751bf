import * as v from 'valibot'
import { isJsonObject } from '../json/json.ts'
import type { TraceStepType } from '../trace.ts'

/** Any JSON value; the member must be there. */
const json = v.unknown()
const jsonObject = v.pipe(v.unknown(), v.check(isJsonObject), v.record(v.string(), v.unknown()))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const call = {
  toolCallId: v.string(),
  toolName: v.string(),
  toolInput: json,
  kind: v.optional(v.literal('custom')),
  inputText: v.optional(v.string()),
}

const text = v.strictObject({ type: v.literal('text'), text: v.string() })
const refusal = v.strictObject({ type: v.literal('refusal'), text: v.string() })
const reasoning = v.strictObject({ type: v.literal('reasoning'), text: v.string() })
const toolUse = v.strictObject({ type: v.literal('tool_use'), ...call })
const toolResult = v.union([
  v.strictObject({ type: v.literal('tool_result'), toolCallId: v.string(), toolName: v.string(), result: json }),
  v.strictObject({ type: v.literal('tool_result'), toolCallId: v.string(), toolName: v.string(), error: v.string() }),
])
const anyMedia = { type: v.literal('media'), mediaType: v.string(), options: v.optional(jsonObject) }
const media = v.union([
  v.strictObject({ ...anyMedia, sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)), bytes: count }),
  v.strictObject({ ...anyMedia, ref: v.string() }),
])

/** One message of a request. */
export const message = v.strictObject({
  role: v.picklist(['user', 'assistant', 'system']),
  content: v.union([v.string(), v.array(v.union([text, refusal, toolUse, toolResult, media]))]),
  name: v.optional(v.string()),
})

const tool = v.strictObject({
  name: v.string(),
  description: v.string(),
  inputSchema: v.optional(json),
  kind: v.optional(v.string()),
  options: v.optional(jsonObject),
})

const replyParts = v.array(v.union([text, reasoning, refusal, toolUse, media]))

const reply = {
  stopText: v.optional(v.string()),
  stopDetail: v.optional(v.string()),
  parts: v.optional(replyParts),
}
const unusualStops = ['length', 'filter', 'refusal', 'sequence', 'pause', 'context'] as const
/** The ordinary stop of a turn is not stored: `end` stands only beside calls, `tools` only without. */
const callStop = v.optional(v.picklist(['end', ...unusualStops]))
const answerStop = v.optional(v.picklist(['tools', ...unusualStops]))

const modelOutput = v.variant('type', [
  v.strictObject({ type: v.literal('final_answer'), text: v.string(), stop: answerStop, ...reply }),
  v.strictObject({
    type: v.literal('tool_calls'),
    calls: v.array(v.strictObject(call)),
    text: v.optional(v.string()),
    stop: callStop,
    ...reply,
  }),
  v.strictObject({ type: v.literal('tool_call'), ...call, stop: callStop, ...reply }),
])

const modelInput = v.strictObject({
  messages: v.array(message),
  tools: v.array(tool),
  systemPrompt: v.optional(v.string()),
  model: v.optional(v.string()),
  params: v.optional(jsonObject),
})

const toolCall = v.strictObject({
  ...call,
  origin: v.optional(v.picklist(['agent', 'endpoint', 'http', 'mcp'])),
})

const toolResultPayload = v.union([
  v.strictObject({
    toolCallId: v.string(),
    toolName: v.string(),
    result: json,
    noValue: v.optional(v.literal(true)),
    promise: v.optional(v.literal(true)),
  }),
  v.strictObject({
    toolCallId: v.string(),
    toolName: v.string(),
    error: v.string(),
    errorName: v.optional(v.string()),
    promise: v.optional(v.literal(true)),
  }),
])

const completed = v.looseObject({
  event: v.literal('run_completed'),
  status: v.literal('success'),
  result: v.string(),
})
const failed = v.looseObject({ event: v.literal('run_failed'), status: v.literal('error'), reason: v.string() })
const attempt = v.looseObject({
  event: v.literal('model_error'),
  status: count,
  kind: v.string(),
  message: v.string(),
  type: v.optional(v.string()),
  code: v.optional(v.string()),
  param: v.optional(v.string()),
  error: v.optional(json),
  parts: v.optional(replyParts),
  afterParts: v.optional(count),
  chunks: v.optional(v.array(count)),
  servedModel: v.optional(v.string()),
  retryAfterMs: v.optional(v.number()),
  retryAfterIn: v.optional(v.picklist(['ms', 'body'])),
  noRetry: v.optional(v.boolean()),
})
const marker = v.looseObject({
  event: v.pipe(
    v.string(),
    v.check((event) => !['run_completed', 'run_failed', 'model_error'].includes(event)),
  ),
})

/** The payloads of each step type, with the optional members that retake adds to the published format. */
export const payloads: Readonly<Record<TraceStepType, v.GenericSchema>> = {
  model_input: modelInput,
  model_output: modelOutput,
  tool_call: toolCall,
  tool_result: toolResultPayload,
  metadata: v.union([completed, failed, attempt, marker]),
}
