import { isJsonObject, type JsonObject, type JsonValue, type MessagePart } from '@retake/trace'
import { isNothing, otherMembers, toList, toObject, toText } from '../json-members.ts'
import { toMedia, toMediaFromUrl, toMediaReference, toTextMedia } from '../media.ts'
import { keepOthers, toResult } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'
import { withoutCacheMarks } from './fields.ts'

/**
 * The parts of one message. Thinking is dropped, as it is never compared.
 * @throws UnsupportedError for calls that a provider made itself, and their results
 */
export const readParts = (content: JsonValue | undefined, path: string, other: Unplaced): MessagePart[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (Array.isArray(content)) return content.flatMap((part, nth) => readPart(part, `${path}[${nth}]`, other))
  if (content !== undefined && content !== null) other.set(path, content)
  return []
}

const ofAnyPart = ['type', 'providerOptions']

const readPart = (part: JsonValue, path: string, other: Unplaced): MessagePart[] => {
  if (!isJsonObject(part)) return keepWhole(part, path, other)
  switch (part.type) {
    case 'reasoning':
    case 'reasoning-file':
      return []
    case 'text':
      keepOthers(part, [...ofAnyPart, 'text'], path, other)
      return [{ type: 'text', text: toText(part.text) }]
    case 'file': {
      const media = readFile(part)
      return media ? [media] : keepWhole(part, path, other)
    }
    case 'tool-call':
      return [readCall(part, path, other)]
    case 'tool-result':
      return [readResult(part, path, other)]
    default:
      return keepWhole(part, path, other)
  }
}

const keepWhole = (part: JsonValue, path: string, other: Unplaced): [] => {
  other.set(path, part)
  return []
}

const readFile = (part: JsonObject): MessagePart | undefined => {
  const mediaType = toText(part.mediaType)
  const { type, ...data } = toObject(part.data)
  const options = otherMembers(part, [...ofAnyPart, 'mediaType', 'data'])
  if (type === 'data' && typeof data.data === 'string') return toMedia(mediaType, data.data, options)
  if (type === 'url' && typeof data.url === 'string') return toMediaFromUrl(data.url, mediaType, options)
  if (type === 'text' && typeof data.text === 'string') return toTextMedia(mediaType, data.text, options)
  if (type === 'reference') return toMediaReference(mediaType, JSON.stringify(data.reference ?? null), options)
  return undefined
}

const readCall = (part: JsonObject, path: string, other: Unplaced): MessagePart => {
  if (part.providerExecuted === true)
    throw unsupported('hosted/server tools and their blocks', `${path}.providerExecuted`)
  keepOthers(part, [...ofAnyPart, 'toolCallId', 'toolName', 'input', 'providerExecuted'], path, other)
  return {
    type: 'tool_use',
    toolCallId: toText(part.toolCallId),
    toolName: toText(part.toolName),
    toolInput: part.input ?? {},
  }
}

const readResult = (part: JsonObject, path: string, other: Unplaced): MessagePart => {
  keepOthers(part, [...ofAnyPart, 'toolCallId', 'toolName', 'output'], path, other)
  const named = {
    type: 'tool_result',
    toolCallId: toText(part.toolCallId),
    toolName: toText(part.toolName) || 'unknown',
  } as const
  const { type, value, ...rest } = toObject(part.output)
  const options = withoutCacheMarks(rest.providerOptions)
  const others = {
    ...otherMembers(rest, ['providerOptions']),
    ...(!isNothing(options) && { providerOptions: options }),
  }
  const isDenied = type === 'execution-denied'
  if (!isDenied) keepOthers(others, [], `${path}.output`, other)
  if (isDenied) return { ...named, result: { ...others, type } }
  if (type === 'error-text' || type === 'error-json') {
    return { ...named, error: typeof value === 'string' ? value : JSON.stringify(value ?? null) }
  }
  if (type !== 'content') return { ...named, result: value ?? null }
  return {
    ...named,
    result: toResult(toList(value).flatMap((one, nth) => readPart(one, `${path}.output.value[${nth}]`, other))),
  }
}
