import { isJsonObject, type JsonObject, type JsonValue, type ReplyPart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toObject, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply, ReplyExtras } from '../wire.ts'
import { refuseCitations, refuseServerBlock, toToolName } from './blocks.ts'
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
  refuseContainer(body)
  const parts: ReplyPart[] = []
  const opaque: Opaque[] = []
  for (const [index, item] of body.content.entries()) {
    const block = toObject(item)
    const part = readBlock(block, `content[${index}]`)
    if (!part) continue
    if (part.type === 'reasoning') opaque.push(...readThinkingBlob(block, parts.length))
    parts.push(part)
  }
  return finishReply(parts, body, { opaque, servedModel: toText(body.model), tokens: readUsage(body.usage) })
}

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

/** @throws UnsupportedError where the reply ran in a container of the provider */
export const refuseContainer = (message: JsonObject): void => {
  if (!isNothing(message.container)) throw unsupported('hosted/server tools and their blocks', 'container')
}

/** An empty text block is nothing: the API takes none back. */
const readBlock = (block: JsonObject, path: string): ReplyPart | undefined => {
  refuseReplyBlock(block, path)
  switch (block.type) {
    case 'text':
      return toText(block.text) === '' ? undefined : { type: 'text', text: toText(block.text) }
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
  refuseCitations(block, path)
  const type = toText(block.type)
  if (!['text', 'thinking', 'redacted_thinking', 'tool_use'].includes(type)) {
    throw unsupported('unreadable reply', `${path}.type ${type}`)
  }
}
