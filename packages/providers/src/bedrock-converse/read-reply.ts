import { isJsonObject, type JsonObject, type JsonValue, type ReplyPart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toObject, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply } from '../wire.ts'
import { readReasoningBlob } from './blobs.ts'
import { readCallOthers, readReplyOthers, refuseReplyBlock } from './reply-members.ts'
import { readStop } from './stop.ts'
import { readUsage } from './usage.ts'

/**
 * One reply, its blocks in order.
 * @throws UnsupportedError naming the field
 */
export const readReply = (body: JsonValue): Reply => {
  if (body === null || body === '') throw unsupported('empty captured body', 'the reply')
  const { content } = toObject(toObject(toObject(body).output).message)
  if (!isJsonObject(body) || !Array.isArray(content)) throw unsupported('unreadable reply', 'output.message.content')
  const opaque: Opaque[] = []
  const parts = content.map((item, index): ReplyPart => {
    const block = toObject(item)
    refuseReplyBlock(block, `output.message.content[${index}]`)
    if (typeof block.text === 'string') return { type: 'text', text: block.text }
    if (isJsonObject(block.toolUse)) {
      const { toolUseId, name, input } = block.toolUse
      opaque.push(...readCallOthers(block.toolUse, index))
      return { type: 'tool_use', toolCallId: toText(toolUseId), toolName: toText(name), toolInput: input ?? {} }
    }
    const { reasoningText, redactedContent } = toObject(block.reasoningContent)
    const { text, signature } = toObject(reasoningText)
    opaque.push(...readReasoningBlob(toText(signature), toText(redactedContent), index))
    return { type: 'reasoning', text: toText(text) }
  })
  return finishReply(parts, body, opaque)
}

/** `reply`: its members beside the message. */
export const finishReply = (
  parts: ReplyPart[],
  reply: JsonObject,
  blobs: readonly Opaque[],
  chunks: number[] = [],
): Reply => {
  const usage = readUsage(reply.usage)
  const opaque = [...blobs, ...readReplyOthers(reply), ...usage.opaque]
  return {
    turn: { parts, ...readStop(toText(reply.stopReason)) },
    extras: {
      ...(usage.tokens && { tokens: usage.tokens }),
      ...(chunks.length > 0 && { chunks }),
      ...(opaque.length > 0 && { opaque }),
    },
  }
}
