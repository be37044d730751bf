import { equalJson } from '@retake/compare'
import {
  isJsonObject,
  type JsonObject,
  type Message,
  type ModelInput,
  type ModelOutput,
  type Trace,
  type TraceStep,
  toolCallsOf,
} from '@retake/trace'
import { formatCall, formatResult, type MessageRow, roleWidth, toMessageRows } from './message-rows.ts'
import type { Style } from './style.ts'
import { count } from './text-change.ts'
import { cutText, padText, toLine } from './text-width.ts'

export interface ConversationOptions {
  style: Style
  /** [100] */
  width?: number
  /** Lines at most; what is left out in the middle is counted. [all] */
  most?: number
}

/** A run as a conversation, a line a step: what was said, asked for, returned, and how it ended. */
export const renderConversation = (trace: Trace, { style, width = 100, most }: ConversationOptions): string => {
  const lines = toConversation(trace).map(({ role, text }) =>
    renderLine(style.dim(padText(toLine(role), roleWidth)), cutText(toLine(text), width - roleWidth - 2), role, style),
  )
  return fold(lines, most, style).join('\n')
}

const renderLine = (label: string, text: string, role: string, style: Style): string =>
  `${label}  ${role === 'error' ? style.bad(text) : text}`.trimEnd()

const fold = (lines: string[], most: number | undefined, style: Style): string[] => {
  if (most === undefined || lines.length <= most) return lines
  const head = Math.max(1, Math.floor((most - 1) / 2))
  const tail = Math.max(0, most - 1 - head)
  const hidden = lines.length - head - tail
  return [...lines.slice(0, head), style.dim(`… ${count(hidden, 'more line')}`), ...lines.slice(lines.length - tail)]
}

/** What was said so far, so that each request only adds what is new in it. */
interface Heard {
  requests: ModelInput[]
  reply?: ModelOutput
  results: Set<string>
}

const toConversation = (trace: Trace): MessageRow[] => {
  const heard: Heard = { requests: [], results: new Set() }
  return trace.steps.flatMap((step) => (isJsonObject(step.payload) ? toRows(step, step.payload, heard) : []))
}

const toRows = ({ type }: TraceStep, payload: JsonObject, heard: Heard): MessageRow[] => {
  switch (type) {
    case 'model_input':
      return toRequestRows(payload as unknown as ModelInput, heard)
    case 'model_output':
      heard.reply = payload as unknown as ModelOutput
      return toReplyRows(heard.reply)
    case 'tool_call':
      return payload.origin === undefined
        ? []
        : [{ role: 'call', text: formatCall(String(payload.toolName), payload.toolInput) }]
    case 'tool_result':
      heard.results.add(String(payload.toolCallId))
      return [{ role: 'tool', text: 'error' in payload ? `✗ ${payload.error}` : formatResult(payload.result) }]
    case 'metadata':
      return toEventRows(payload)
  }
}

const mostBases = 8

const toRequestRows = (request: ModelInput, heard: Heard): MessageRow[] => {
  const messages = request.messages ?? []
  let known = 0
  let base: ModelInput | undefined
  for (const earlier of heard.requests) {
    const shared = countShared(earlier.messages, messages)
    if (shared >= known) [known, base] = [shared, earlier]
  }
  heard.requests = [...heard.requests, { ...request, messages }].slice(-mostBases)
  const isNewPrompt = request.systemPrompt !== undefined && request.systemPrompt !== base?.systemPrompt
  return [
    ...(isNewPrompt ? [{ role: 'system', text: request.systemPrompt ?? '' }] : []),
    ...messages.slice(known).flatMap((message) => toNewRows(message, heard)),
  ]
}

const countShared = (before: Message[], after: Message[]): number => {
  const most = Math.min(before.length, after.length)
  let shared = 0
  while (shared < most && equalJson(before[shared], after[shared])) shared++
  return shared
}

/** A message without what a reply or a result step has told already. */
const toNewRows = (message: Message, heard: Heard): MessageRow[] => {
  if (message.role === 'assistant' && heard.reply && repeatsReply(message, heard.reply)) return []
  if (typeof message.content === 'string') return toMessageRows(message)
  const content = message.content.filter((part) => part.type !== 'tool_result' || !heard.results.has(part.toolCallId))
  return content.length === 0 && message.content.length > 0 ? [] : toMessageRows({ ...message, content })
}

const repeatsReply = ({ content }: Message, reply: ModelOutput): boolean => {
  if (typeof content === 'string') return reply.type === 'final_answer' && reply.text === content
  const calls = content.flatMap((part) => (part.type === 'tool_use' ? [[part.toolName, part.toolInput]] : []))
  return equalJson(
    calls,
    toolCallsOf(reply).map(({ toolName, toolInput }) => [toolName, toolInput]),
  )
}

const toReplyRows = (reply: ModelOutput): MessageRow[] => {
  const stop = reply.stop === undefined ? '' : ` (${reply.stop})`
  const text = reply.type === 'tool_call' ? undefined : reply.text
  const calls = toolCallsOf(reply).map(({ toolName, toolInput, inputText }) =>
    formatCall(toolName, toolInput, inputText),
  )
  const lines = [...(text === undefined || (text === '' && calls.length > 0) ? [] : [text]), ...calls]
  return lines.map((line, index) => ({ role: 'assistant', text: index === lines.length - 1 ? line + stop : line }))
}

const toEventRows = (payload: JsonObject): MessageRow[] => {
  const text = (...values: unknown[]): string => values.filter((value) => value !== undefined).join(': ')
  switch (payload.event) {
    case 'run_completed':
      return []
    case 'run_failed':
      return [{ role: 'error', text: text(`run failed, ${payload.reason}`, payload.message ?? payload.toolName) }]
    case 'model_error':
      return [{ role: 'error', text: text(`${payload.status} ${payload.kind}`, payload.message) }]
    default:
      return [{ role: 'event', text: String(payload.event) }]
  }
}
