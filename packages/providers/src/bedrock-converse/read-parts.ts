import { isJsonObject, type JsonObject, type JsonValue, type MessagePart } from '@retake/trace'
import type { CallNames } from '../call-names.ts'
import { createKnown, isNothing, ofType, toList, toObject, toText } from '../json-members.ts'
import { toTextMedia } from '../media.ts'
import { keepOthers, toResult } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'
import { readMedia, readOptions } from './read-media.ts'
import { refuseServerBlock } from './reply-members.ts'

/** What reading a block needs of the request around it. */
export interface BlockContext {
  other: Unplaced
  names: CallNames
}

/**
 * The blocks of one message. Thinking is dropped, as it is never compared, and so are marks of the cache.
 * @throws UnsupportedError for blocks of tools that the provider runs
 */
export const readParts = (content: JsonValue | undefined, path: string, context: BlockContext): MessagePart[] => {
  if (Array.isArray(content)) return content.flatMap((block, nth) => readBlock(block, `${path}[${nth}]`, context))
  if (content !== undefined && content !== null) context.other.set(path, content)
  return []
}

const text = ['string'] as const
const callMembers = createKnown(['toolUseId', 'name', 'input', 'type'])
const resultMembers = createKnown(['toolUseId', 'content', 'type'])

const readBlock = (block: JsonValue, path: string, context: BlockContext): MessagePart[] => {
  if (!isJsonObject(block)) return keepWhole(block, path, context)
  refuseServerBlock(block, path)
  if (typeof block.text === 'string') {
    keepOthers(block, ['text', 'cachePoint'], path, context.other)
    return [{ type: 'text', text: block.text }]
  }
  if (isJsonObject(block.toolUse)) return [readCall(block, block.toolUse, path, context)]
  if (isJsonObject(block.toolResult)) return [readResult(block, block.toolResult, path, context)]
  if ('reasoningContent' in block || 'cachePoint' in block) {
    keepOthers(block, ['reasoningContent', 'cachePoint'], path, context.other)
    return []
  }
  const media = readSearchResult(block, path, context) ?? readMedia(block)
  return media ? [media] : keepWhole(block, path, context)
}

const keepWhole = (block: JsonValue, path: string, { other }: BlockContext): [] => {
  other.set(path, block)
  return []
}

const readCall = (block: JsonObject, call: JsonObject, path: string, { other, names }: BlockContext): MessagePart => {
  const toolCallId = toText(call.toolUseId)
  const toolName = toText(call.name)
  names.add(toolCallId, toolName)
  keepOthers(block, ['toolUse'], path, other)
  keepOthers(call, callMembers, `${path}.toolUse`, other)
  return { type: 'tool_use', toolCallId, toolName, toolInput: call.input ?? {} }
}

const readResult = (block: JsonObject, given: JsonObject, path: string, context: BlockContext): MessagePart => {
  const toolCallId = toText(given.toolUseId)
  const toolName = context.names.take(toolCallId) ?? 'unknown'
  const at = `${path}.toolResult`
  keepOthers(block, ['toolResult'], path, context.other)
  const isKnownStatus = given.status === 'error' || given.status === 'success'
  keepOthers(isKnownStatus ? { ...given, status: null } : given, resultMembers, at, context.other)
  const named = { type: 'tool_result', toolCallId, toolName } as const
  const result = readContent(toList(given.content), `${at}.content`, context)
  if (!Array.isArray(given.content) && !isNothing(given.content))
    context.other.set(`${at}.content`, given.content ?? null)
  if (given.status !== 'error') return { ...named, result }
  return { ...named, error: typeof result === 'string' ? result : JSON.stringify(result) }
}

/** One JSON value as it is; texts in one piece; else the parts, JSON among them as its text. */
const readContent = (content: JsonValue[], path: string, context: BlockContext): JsonValue => {
  const [first] = content
  if (content.length === 1 && isJsonObject(first) && first.json !== undefined) {
    keepOthers(first, ['json'], `${path}[0]`, context.other)
    return first.json
  }
  const parts = content.flatMap((block, nth) => {
    const at = `${path}[${nth}]`
    if (!isJsonObject(block) || block.json === undefined) return readBlock(block, at, context)
    keepOthers(block, ['json'], at, context.other)
    return [toTextMedia('application/json', JSON.stringify(block.json))]
  })
  return toResult(parts)
}

/** A passage of the agent's own search: its text by digest, with where it came from. */
const readSearchResult = (block: JsonObject, path: string, { other }: BlockContext): MessagePart | undefined => {
  if (!isJsonObject(block.searchResult)) return undefined
  const { content, ...rest } = block.searchResult
  const at = `${path}.searchResult`
  const texts = toList(content).map((item, nth) => {
    const part = toObject(item)
    keepOthers(part, ofType(part, { text }), `${at}.content[${nth}]`, other)
    return toText(part.text)
  })
  keepOthers(block, ['searchResult'], path, other)
  return toTextMedia('text/plain', texts.join('\n\n'), readOptions(rest))
}
