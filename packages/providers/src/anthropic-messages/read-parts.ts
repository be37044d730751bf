import { isJsonObject, type JsonObject, type JsonValue, type MessagePart } from '@retake/trace'
import { isNothing, otherMembers, toObject, toObjects, toText } from '../json-members.ts'
import { toMedia, toMediaReference, toTextMedia } from '../media.ts'
import { joinTexts, keepOthers } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'
import { refuseServerBlock, toToolName } from './blocks.ts'

/** What reading a block needs of the request around it. */
export interface BlockContext {
  other: Unplaced
  /** Names of the calls seen so far, by id. */
  toolNames: Map<string, string>
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

const readBlock = (block: JsonValue, path: string, context: BlockContext): MessagePart[] => {
  if (!isJsonObject(block)) return keepWhole(block, path, context)
  refuseServerBlock(block, path)
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
      return []
    case 'text':
      keepOthers(withoutEmptyCitations(block), ['type', 'text', 'cache_control'], path, context.other)
      return [{ type: 'text', text: toText(block.text) }]
    case 'tool_use':
      return [readCall(block, path, context)]
    case 'tool_result':
      return [readResult(block, path, context)]
    case 'search_result':
      return [readSearchResult(block)]
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
  isNothing(block.citations) ? { ...block, citations: null } : block

const readCall = (block: JsonObject, path: string, { other, toolNames }: BlockContext): MessagePart => {
  const toolCallId = toText(block.id)
  const toolName = toToolName(block)
  toolNames.set(toolCallId, toolName)
  keepOthers(block, ['type', 'id', 'name', 'input', 'cache_control', 'caller', 'toolset_name'], path, other)
  return { type: 'tool_use', toolCallId, toolName, toolInput: block.input ?? {} }
}

const readResult = (block: JsonObject, path: string, context: BlockContext): MessagePart => {
  const toolCallId = toText(block.tool_use_id)
  const toolName = context.toolNames.get(toolCallId) ?? 'unknown'
  const parts = readParts(block.content, `${path}.content`, context)
  const known = ['type', 'tool_use_id', 'content', 'is_error', 'cache_control', 'toolset_name', 'caller']
  keepOthers(block, known, path, context.other)
  const isText = parts.every(({ type }) => type === 'text')
  if (block.is_error === true) {
    return { type: 'tool_result', toolCallId, toolName, error: isText ? joinTexts(parts) : JSON.stringify(parts) }
  }
  return {
    type: 'tool_result',
    toolCallId,
    toolName,
    result: isText ? joinTexts(parts) : (parts as unknown as JsonValue),
  }
}

/** A passage of the agent's own search: its text by digest, with where it came from. */
const readSearchResult = (block: JsonObject): MessagePart => {
  const text = toObjects(block.content)
    .map((part) => toText(part.text))
    .join('\n\n')
  return toTextMedia('text/plain', text, otherMembers(block, ['type', 'content', 'cache_control']))
}

const readMedia = (block: JsonObject): MessagePart | undefined => {
  const source = toObject(block.source)
  const unread = otherMembers(source, ['type', 'media_type', 'data', 'url', 'file_id', 'content'])
  const options = Object.fromEntries(
    Object.entries({ ...otherMembers(block, ['type', 'source', 'cache_control']), source: unread }).filter(
      ([, value]) => !isNothing(value),
    ),
  )
  const isImage = block.type === 'image'
  const mediaType = toText(source.media_type) || (isImage ? 'image/*' : 'application/pdf')
  switch (source.type) {
    case 'base64':
      return toMedia(mediaType, toText(source.data), options)
    case 'text':
      return toTextMedia(mediaType, toText(source.data), options)
    case 'url':
      return toMediaReference(mediaType, toText(source.url), options)
    case 'file':
      return toMediaReference(isImage ? 'image/*' : 'application/*', toText(source.file_id), options)
    case 'content':
      return typeof source.content === 'string'
        ? toTextMedia('text/plain', source.content, options)
        : toTextMedia('application/json', JSON.stringify(source.content ?? null), options)
    default:
      return undefined
  }
}
