import { isJsonObject, type JsonObject, type JsonValue, type ReplyPart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toObject, toText } from '../json-members.ts'
import { othersBlob, othersOf } from '../reply-members.ts'
import { readArguments } from '../tool-arguments.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply } from '../wire.ts'
import { othersOfPart, readPartOthers, refusePart, replyMembers, replyPlace } from './reply-members.ts'
import { readRawStop, readStop } from './stop.ts'
import { readUsage } from './usage.ts'

/**
 * One result, its content in order.
 * @throws UnsupportedError naming the field
 */
export const readReply = (body: JsonValue): Reply => {
  if (body === null || body === '') throw unsupported('empty captured body', 'the reply')
  if (!isJsonObject(body) || !Array.isArray(body.content)) throw unsupported('unreadable reply', 'content')
  const opaque: Opaque[] = []
  const parts = body.content.map((item, index) => {
    const part = toObject(item)
    const read = readPart(part, `content[${index}]`)
    opaque.push(...readPartOthers(othersOfPart(part), index))
    return read
  })
  return finishReply(parts, body, opaque)
}

const readPart = (part: JsonObject, path: string): ReplyPart => {
  refusePart(part, path)
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: toText(part.text) }
    case 'tool-call':
      return {
        type: 'tool_use',
        toolCallId: toText(part.toolCallId),
        toolName: toText(part.toolName),
        ...readArguments(toText(part.input)),
      }
    default:
      throw unsupported('unreadable reply', `${path}.type ${toText(part.type)}`)
  }
}

/** `reply`: its members beside the content. */
export const finishReply = (
  parts: ReplyPart[],
  reply: JsonObject,
  blobs: readonly Opaque[],
  chunks: number[] = [],
): Reply => {
  const usage = readUsage(reply.usage)
  const servedModel = toText(toObject(reply.response).modelId)
  const opaque = [
    ...blobs,
    ...readRawStop(reply.finishReason),
    ...othersBlob(replyPlace, othersOf(reply, replyMembers)),
    ...usage.opaque,
  ]
  return {
    turn: { parts, ...readStop(reply.finishReason) },
    extras: {
      ...(usage.tokens && { tokens: usage.tokens }),
      ...(servedModel !== '' && { servedModel }),
      ...(chunks.length > 0 && { chunks }),
      ...(opaque.length > 0 && { opaque }),
    },
  }
}
