import type { JsonObject, JsonValue, ReplyPart, ToolUsePart } from '@retake/trace'
import { toObject } from '../json-members.ts'
import { writeOthers } from '../reply-members.ts'
import { toArgumentText } from '../tool-arguments.ts'
import type { ReplyExtras, Turn, WriteContext } from '../wire.ts'
import {
  hasObjectArguments,
  writeCallBlobs,
  writeMessageBlobs,
  writesContentChunks,
  writtenReasoningFields,
} from './blobs.ts'

/** The members that a completion and each of its chunks share. */
export const writeHead = ({ replyId, timestamp, request, extras }: WriteContext): JsonObject => ({
  id: `chatcmpl-${replyId}`,
  created: Math.floor(timestamp / 1000),
  model: extras?.servedModel ?? request.body.model ?? '',
})

export const writeMessage = ({ parts, stop }: Turn, extras: ReplyExtras | undefined, url: string): JsonObject => {
  const textOf = (type: 'text' | 'reasoning' | 'refusal') => {
    const found = parts.flatMap((part) => (part.type === type ? [part.text] : []))
    return found.length > 0 ? found.join('') : null
  }
  const calls = parts.flatMap((part, index) => (part.type === 'tool_use' ? [writeCall(part, index, extras)] : []))
  const reasoning = textOf('reasoning')
  const inChunks = reasoning !== null && writesContentChunks(extras, url)
  const fields = inChunks || reasoning === null ? [] : writtenReasoningFields(extras)
  return {
    role: 'assistant',
    content: inChunks
      ? writeContentChunks(parts, extras)
      : (textOf('text') ?? (parts.length > 0 || stop === 'filter' ? null : '')),
    refusal: textOf('refusal'),
    // OpenAI's own replies have it; vendors that show their reasoning do not.
    ...(reasoning === null && { annotations: [] }),
    ...Object.fromEntries(fields.map((name) => [name, reasoning])),
    ...writeMessageBlobs(extras),
    ...writeOthers(extras, 'message'),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

const writeContentChunks = (parts: readonly ReplyPart[], extras: ReplyExtras | undefined): JsonObject[] =>
  parts.flatMap((part, index) => {
    const others = writeOthers(extras, 'chunk', index)
    if (part.type === 'reasoning') return [{ ...writeThinkingChunk(part.text), ...others }]
    return part.type === 'text' ? [{ type: 'text', text: part.text, ...others }] : []
  })

export const writeThinkingChunk = (text: string): JsonObject => ({
  type: 'thinking',
  thinking: [{ type: 'text', text }],
})

export const writeCall = (part: ToolUsePart, index: number, extras: ReplyExtras | undefined): JsonObject => {
  const { function: inFunction, custom: inCustom, ...others } = writeOthers(extras, 'call', index)
  const called =
    part.kind === 'custom'
      ? { type: 'custom', custom: { name: part.toolName, input: String(part.toolInput), ...toObject(inCustom) } }
      : {
          type: 'function',
          function: { name: part.toolName, arguments: writeArguments(part, index, extras), ...toObject(inFunction) },
        }
  return { id: part.toolCallId, ...called, ...writeCallBlobs(extras, index), ...others }
}

const writeArguments = (part: ToolUsePart, index: number, extras: ReplyExtras | undefined): JsonValue =>
  hasObjectArguments(extras, index) ? part.toolInput : toArgumentText(part)
