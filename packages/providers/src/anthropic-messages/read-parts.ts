import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, type MessagePart } from '@retake/trace'
import type { CallNames } from '../call-names.ts'
import { createKnown, isNothing, ofType, otherMembers, toList, toObject, toText } from '../json-members.ts'
import { toMedia, toMediaReference, toTextMedia } from '../media.ts'
import { keepOthers, toResult } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'
import { refuseServerBlock, toToolName } from './blocks.ts'

/** What reading a block needs of the request around it. */
export interface BlockContext {
  other: Unplaced
  names: CallNames
}

/**
 * The content of a message: one text, or a list of blocks. Thinking is dropped: it is never compared.
 * @throws UnsupportedError for blocks of server tools
 */
export const readParts = (content: JsonValue | undefined, path: string, context: BlockContext): MessagePart[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (Array.isArray(content)) return content.flatMap((block, nth) => readBlock(block, `${path}[${nth}]`, context))
  if (content !== undefined && content !== null) context.other.set(path, content)
  return []
}

const ofAnyBlock = ['type', 'cache_control']
const textMembers = createKnown([...ofAnyBlock, 'text'])
const callMembers = createKnown([...ofAnyBlock, 'id', 'name', 'input', 'caller', 'toolset_name'])
const resultMembers = createKnown([...ofAnyBlock, 'tool_use_id', 'content', 'caller', 'toolset_name'], {
  is_error: ['boolean'],
})

const readBlock = (block: JsonValue, path: string, context: BlockContext): MessagePart[] => {
  if (!isJsonObject(block)) return keepWhole(block, path, context)
  refuseServerBlock(block, path)
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
      return []
    case 'text':
      keepOthers(withoutEmptyCitations(block), textMembers, path, context.other)
      return [{ type: 'text', text: toText(block.text) }]
    case 'tool_use':
      return [readCall(block, path, context)]
    case 'tool_result':
      return [readResult(block, path, context)]
    case 'search_result':
      return [readSearchResult(block, path, context)]
    default: {
      const media = block.type === 'image' || block.type === 'document' ? readMedia(block) : undefined
      return media ? [media] : keepWhole(block, path, context)
    }
  }
}

const keepWhole = (block: JsonValue, path: string, { other }: BlockContext): [] => {
  other.set(path, block)
  return []
}

const withoutEmptyCitations = (block: JsonObject): JsonObject =>
  block.citations !== undefined && isNothing(block.citations) ? { ...block, citations: null } : block

const readCall = (block: JsonObject, path: string, { other, names }: BlockContext): MessagePart => {
  const toolCallId = toText(block.id)
  const toolName = toToolName(block)
  names.add(toolCallId, toolName)
  keepOthers(block, callMembers, path, other)
  return { type: 'tool_use', toolCallId, toolName, toolInput: block.input ?? {} }
}

const readResult = (block: JsonObject, path: string, context: BlockContext): MessagePart => {
  const toolCallId = toText(block.tool_use_id)
  const toolName = context.names.take(toolCallId) ?? 'unknown'
  // It repeats the toolset of the call, where it is given at all.
  const toolset = toolName.includes('.') ? toolName.slice(0, toolName.indexOf('.')) : undefined
  const parts = readParts(block.content, `${path}.content`, context)
  if ((block.toolset_name ?? toolset) !== toolset) context.other.set(`${path}.toolset_name`, block.toolset_name ?? null)
  keepOthers(block, resultMembers, path, context.other)
  const result = toResult(parts)
  if (block.is_error === true) {
    return {
      type: 'tool_result',
      toolCallId,
      toolName,
      error: typeof result === 'string' ? result : JSON.stringify(result),
    }
  }
  return { type: 'tool_result', toolCallId, toolName, result }
}

/** A passage of the agent's own search: its text by digest, with where it came from. */
const readSearchResult = (block: JsonObject, path: string, { other }: BlockContext): MessagePart => {
  const texts = toList(block.content).map((item, nth) => {
    const part = toObject(item)
    const known = ['cache_control', ...(part.type === 'text' ? ['type'] : []), ...ofType(part, { text: ['string'] })]
    keepOthers(part, known, `${path}.content[${nth}]`, other)
    return toText(part.text)
  })
  return toTextMedia('text/plain', texts.join('\n\n'), otherMembers(block, ['type', 'content', 'cache_control']))
}

const text = ['string'] as const

/** What each kind of source is read from; all of it must be there. */
const sourceMembers = new Map<string, Parameters<typeof ofType>[1]>([
  ['base64', { media_type: text, data: text }],
  ['text', { media_type: text, data: text }],
  ['url', { url: text }],
  ['file', { file_id: text }],
  ['content', { content: ['string', 'list'] }],
])

const readMedia = (block: JsonObject): MessagePart | undefined => {
  const source = toObject(block.source)
  const type = toText(source.type)
  const needed = sourceMembers.get(type)
  const read = needed ? ofType(source, needed) : []
  if (!needed || read.length < Object.keys(needed).length) return undefined
  const unread = otherMembers(source, ['type', ...read])
  const options = Object.fromEntries(
    Object.entries({ ...otherMembers(block, ['type', 'source', 'cache_control']), source: unread }).filter(
      ([, value]) => !isNothing(value),
    ),
  )
  const isImage = block.type === 'image'
  const { content } = source
  switch (type) {
    case 'base64':
      return toMedia(toText(source.media_type), toText(source.data), options)
    case 'text':
      return toTextMedia(toText(source.media_type), toText(source.data), options)
    case 'url':
      return toMediaReference(isImage ? 'image/*' : 'application/pdf', toText(source.url), options)
    case 'file':
      return toMediaReference(isImage ? 'image/*' : 'application/*', toText(source.file_id), options)
    default:
      return typeof content === 'string'
        ? toTextMedia('text/plain', content, options)
        : toTextMedia('application/json', canonicalJson(toList(content).map(withoutCacheMark)), options)
  }
}

const withoutCacheMark = (part: JsonValue): JsonValue =>
  isJsonObject(part) ? otherMembers(part, ['cache_control']) : part
