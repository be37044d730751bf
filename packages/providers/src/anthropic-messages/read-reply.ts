import { isJsonObject, type JsonObject, type JsonValue, type ReplyPart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toObject, toText } from '../json-members.ts'
import { othersBlob, othersOf, refuseMembers } from '../reply-members.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply, ReplyExtras } from '../wire.ts'
import { refuseServerBlock, toToolName } from './blocks.ts'
import { blockMembers, messageMembers } from './reply-members.ts'
import { readStop } from './stop.ts'
import { readThinkingBlob } from './thinking.ts'
import { readUsage } from './usage.ts'

/**
 * One message, its blocks in order.
 * @throws UnsupportedError naming the field
 */
export const readReply = (body: JsonValue): Reply => {
  if (body === null || body === '') throw unsupported('empty captured body', 'the reply')
  if (!isJsonObject(body) || !Array.isArray(body.content) || body.role !== 'assistant') {
    throw unsupported('unreadable reply', 'content')
  }
  refuseMembers(body, messageMembers)
  const parts: ReplyPart[] = []
  const opaque: Opaque[] = []
  for (const [index, item] of body.content.entries()) {
    const block = toObject(item)
    opaque.push(...readBlockBlobs(block, parts.length))
    parts.push(readBlock(block, `content[${index}]`))
  }
  const { tokens, opaque: counts } = readUsage(body.usage)
  const others = othersBlob('message', othersOf(body, messageMembers))
  return finishReply(parts, body, {
    opaque: [...opaque, ...counts, ...others],
    servedModel: toText(body.model),
    tokens,
  })
}

/** What a block holds beside its text or its call. */
export const readBlockBlobs = (block: JsonObject, part: number): Opaque[] => [
  ...readThinkingBlob(block, part),
  ...othersBlob('block', othersOf(block, blockMembers), part),
]

/** What is known of a reply beside its parts and its end. */
export interface ReadExtras {
  opaque: Opaque[]
  servedModel: string
  tokens: ReplyExtras['tokens']
  chunks?: number[]
}

/** `ending` holds stop_reason and what belongs to it. */
export const finishReply = (parts: ReplyPart[], ending: JsonObject, extras: ReadExtras): Reply => {
  const { part, opaque, ...stop } = readStop(ending)
  const all = opaque ? [...extras.opaque, opaque] : extras.opaque
  const { servedModel, tokens, chunks = [] } = extras
  return {
    turn: { parts: part ? [...parts, part] : parts, ...stop },
    extras: {
      ...(tokens && { tokens }),
      ...(servedModel !== '' && { servedModel }),
      ...(chunks.length > 0 && { chunks }),
      ...(all.length > 0 && { opaque: all }),
    },
  }
}

const readBlock = (block: JsonObject, path: string): ReplyPart => {
  refuseReplyBlock(block, path)
  switch (block.type) {
    case 'text':
      return { type: 'text', text: toText(block.text) }
    case 'tool_use':
      return {
        type: 'tool_use',
        toolCallId: toText(block.id),
        toolName: toToolName(block),
        toolInput: block.input ?? {},
      }
    default:
      return { type: 'reasoning', text: toText(block.thinking) }
  }
}

/** @throws UnsupportedError for every block but text, thinking, and a call that the client is to run */
export const refuseReplyBlock = (block: JsonObject, path: string): void => {
  refuseServerBlock(block, path)
  refuseMembers(block, blockMembers, path)
  const type = toText(block.type)
  if (!['text', 'thinking', 'redacted_thinking', 'tool_use'].includes(type)) {
    throw unsupported('unreadable reply', `${path}.type ${type}`)
  }
}
