import type { JsonObject, ReplyPart, ToolUsePart } from '@retake/trace'
import { writeOthers } from '../reply-members.ts'
import type { ReplyExtras, Turn, WriteContext } from '../wire.ts'
import { callPlace, functionPlace, messagePlace, replyPlace } from './reply-members.ts'
import { writeStop } from './stop.ts'
import { writeUsage } from './usage.ts'

/** The members that a reply and each line of a stream share. */
export const writeHead = ({ timestamp, request, extras }: WriteContext): JsonObject => ({
  model: extras?.servedModel ?? request.body.model ?? '',
  created_at: new Date(timestamp).toISOString(),
})

export const writeMessage = ({ parts }: Turn, extras: ReplyExtras | undefined): JsonObject => {
  const thinking = joined(parts, ['reasoning'])
  const calls = parts.flatMap((part, index) => (part.type === 'tool_use' ? [{ part, index }] : []))
  return {
    role: 'assistant',
    // It has no member for a refusal; the reason tells nothing of one either.
    content: joined(parts, ['text', 'refusal']),
    ...(thinking !== '' && { thinking }),
    ...writeOthers(extras, messagePlace),
    ...(calls.length > 0 && { tool_calls: calls.map(({ part, index }, nth) => writeCall(part, nth, index, extras)) }),
  }
}

const joined = (parts: readonly ReplyPart[], types: readonly ReplyPart['type'][]): string =>
  parts.flatMap((part) => ('text' in part && types.includes(part.type) ? [part.text] : [])).join('')

/** `nth` among the calls, `index` among the parts. */
export const writeCall = (
  { toolCallId, toolName, toolInput }: ToolUsePart,
  nth: number,
  index: number,
  extras: ReplyExtras | undefined,
): JsonObject => ({
  ...(toolCallId !== '' && { id: toolCallId }),
  function: { index: nth, name: toolName, arguments: toolInput, ...writeOthers(extras, functionPlace, index) },
  ...writeOthers(extras, callPlace, index),
})

/** What ends a reply. */
export const writeEnding = (turn: Turn, extras: ReplyExtras | undefined): JsonObject => {
  const reason = writeStop(turn)
  return {
    done: true,
    ...(reason !== undefined && { done_reason: reason }),
    ...writeOthers(extras, replyPlace),
    ...writeUsage(extras),
  }
}
