import { isJsonObject, type JsonObject, type JsonValue, type MessagePart } from '@retake/trace'
import type { CallNames } from '../call-names.ts'
import { isNothing, otherMembers, toList, toObject, toText } from '../json-members.ts'
import { toMedia, toMediaFromUrl, toMediaReference, toTextMedia } from '../media.ts'
import { keepOthers, toResult } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'
import { withoutCacheMarks } from './fields.ts'

/** What reading a part needs of the request around it. */
export interface PartContext {
  other: Unplaced
  names: CallNames
}

/**
 * The parts of one message. Thinking is dropped, as it is never compared.
 * @throws UnsupportedError for calls that a provider made itself, and their results
 */
export const readParts = (content: JsonValue | undefined, path: string, context: PartContext): MessagePart[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (Array.isArray(content)) return content.flatMap((part, nth) => readPart(part, `${path}[${nth}]`, context))
  if (content !== undefined && content !== null) context.other.set(path, content)
  return []
}

const ofAnyPart = ['type', 'providerOptions']

const readPart = (part: JsonValue, path: string, context: PartContext): MessagePart[] => {
  const { other } = context
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
      return [readCall(part, path, context)]
    case 'tool-result':
      return [readResult(part, path, context)]
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
  const ofData = otherMembers(data, ['data', 'url', 'text', 'reference'])
  const options = {
    ...otherMembers(part, [...ofAnyPart, 'mediaType', 'data']),
    ...(!isNothing(ofData) && { data: ofData }),
  }
  if (type === 'data' && typeof data.data === 'string') return toMedia(mediaType, data.data, options)
  if (type === 'url' && typeof data.url === 'string') return toMediaFromUrl(data.url, mediaType, options)
  if (type === 'text' && typeof data.text === 'string') return toTextMedia(mediaType, data.text, options)
  if (type === 'reference') return toMediaReference(mediaType, JSON.stringify(data.reference ?? null), options)
  return undefined
}

const readCall = (part: JsonObject, path: string, { other, names }: PartContext): MessagePart => {
  if (part.providerExecuted === true)
    throw unsupported('hosted/server tools and their blocks', `${path}.providerExecuted`)
  keepOthers(part, [...ofAnyPart, 'toolCallId', 'toolName', 'input', 'providerExecuted'], path, other)
  const call = { toolCallId: toText(part.toolCallId), toolName: toText(part.toolName) }
  names.add(call.toolCallId, call.toolName)
  return { type: 'tool_use', ...call, toolInput: part.input ?? {} }
}

const readResult = (part: JsonObject, path: string, context: PartContext): MessagePart => {
  const { other, names } = context
  keepOthers(part, [...ofAnyPart, 'toolCallId', 'toolName', 'output'], path, other)
  const toolCallId = toText(part.toolCallId)
  const said = toText(part.toolName)
  const toolName = names.take(toolCallId, said) ?? (said || 'unknown')
  // It repeats what the call says, so it may be left out, but not say something else.
  if (!isNothing(part.toolName) && said !== toolName) other.set(`${path}.toolName`, part.toolName ?? null)
  const named = { type: 'tool_result', toolCallId, toolName } as const
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
  if (type !== 'content') {
    // A text told as JSON is another text to the model, with its quotes.
    if (type !== (typeof value === 'string' ? 'text' : 'json')) other.set(`${path}.output.type`, type ?? null)
    return { ...named, result: value ?? null }
  }
  return {
    ...named,
    result: toResult(toList(value).flatMap((one, nth) => readPart(one, `${path}.output.value[${nth}]`, context))),
  }
}
