import { isJsonObject, type JsonObject, type JsonValue, type MessagePart } from '@retake/trace'
import type { CallLinks } from '../call-links.ts'
import { isNothing, ofType, otherMembers, toList, toObject, toText } from '../json-members.ts'
import { toMedia, toMediaReference } from '../media.ts'
import { keepOthers } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'
import { camelMembers } from './camel-members.ts'
import { refuseServerPart } from './refused-members.ts'

/** What reading a part needs of the request around it. */
export interface PartContext {
  other: Unplaced
  links?: CallLinks
}

/**
 * The parts of one content. Thoughts and their signatures are dropped: they are never compared.
 * @throws UnsupportedError for parts of tools that Google runs
 */
export const readParts = (parts: JsonValue | undefined, path: string, context: PartContext): MessagePart[] => {
  if (typeof parts === 'string') return [{ type: 'text', text: parts }]
  if (Array.isArray(parts)) return parts.flatMap((part, nth) => readPart(part, `${path}[${nth}]`, context))
  if (isJsonObject(parts)) return readPart(parts, path, context)
  if (parts !== undefined && parts !== null) context.other.set(path, parts)
  return []
}

const text = ['string'] as const
const ofAnyPart = ['thoughtSignature', 'thought']

const readPart = (given: JsonValue, path: string, context: PartContext): MessagePart[] => {
  if (!isJsonObject(given)) return keepWhole(given, path, context)
  const part = camelMembers(given)
  refuseServerPart(part, path)
  if (part.thought === true) return []
  if (isJsonObject(part.functionCall)) return [readCall(part, path, context)]
  if (isJsonObject(part.functionResponse)) return [readResult(part, path, context)]
  if (isJsonObject(part.inlineData) || isJsonObject(part.fileData)) {
    const media = readMedia(part)
    return media ? [media] : keepWhole(given, path, context)
  }
  if (typeof part.text === 'string') {
    keepOthers(part, ['text', ...ofAnyPart], path, context.other)
    return [{ type: 'text', text: part.text }]
  }
  const isSignature =
    Object.keys(part).every((name) => ofAnyPart.includes(name)) && toText(part.thoughtSignature) !== ''
  return isSignature ? [] : keepWhole(given, path, context)
}

const keepWhole = (part: JsonValue, path: string, { other }: PartContext): [] => {
  other.set(path, part)
  return []
}

const readCall = (part: JsonObject, path: string, { other }: PartContext): MessagePart => {
  const call = camelMembers(toObject(part.functionCall))
  keepOthers(part, ['functionCall', ...ofAnyPart], path, other)
  const read = ofType(call, { id: text, name: text, args: ['object'] })
  keepOthers(call, read, `${path}.functionCall`, other)
  return {
    type: 'tool_use',
    toolCallId: toText(call.id),
    toolName: toText(call.name),
    toolInput: toObject(call.args),
  }
}

const readResult = (part: JsonObject, path: string, context: PartContext): MessagePart => {
  const { other, links } = context
  const given = camelMembers(toObject(part.functionResponse))
  keepOthers(part, ['functionResponse', ...ofAnyPart], path, other)
  const read = ofType(given, { id: text, name: text, response: ['object'], parts: ['list'] })
  keepOthers(given, read, `${path}.functionResponse`, other)
  const name = toText(given.name)
  const call = links?.take(toText(given.id), name)
  // It repeats the name of its call; any other says more.
  if (name !== call?.name) other.set(`${path}.functionResponse.name`, name)
  const result = {
    type: 'tool_result',
    toolCallId: call?.id ?? toText(given.id),
    toolName: name || call?.name || 'unknown',
  } as const
  const response = readResponse(toObject(given.response))
  const media = toList(given.parts).flatMap((one, nth) =>
    readPart(one, `${path}.functionResponse.parts[${nth}]`, context),
  )
  if (media.length > 0) return { ...result, result: { response: toObject(given.response), parts: media } as never }
  return 'error' in response ? { ...result, error: response.error } : { ...result, result: response.output }
}

/**
 * `output` and `error` say what the function gave; an object without them is all of it
 * (https://ai.google.dev/api/caching#FunctionResponse).
 */
const readResponse = (response: JsonObject): { output: JsonValue } | { error: string } => {
  const { output, error, ...others } = response
  if (Object.keys(others).length > 0) return { output: response }
  if (output !== undefined && error === undefined) return { output }
  return typeof error === 'string' && output === undefined ? { error } : { output: response }
}

const readMedia = (part: JsonObject): MessagePart | undefined => {
  const isInline = isJsonObject(part.inlineData)
  const source = camelMembers(toObject(isInline ? part.inlineData : part.fileData))
  const member = isInline ? 'data' : 'fileUri'
  const value = source[member]
  if (typeof value !== 'string') return undefined
  const mediaType = ofType(source, { mimeType: text })
  const options = Object.fromEntries(
    Object.entries({
      ...otherMembers(part, ['inlineData', 'fileData', ...ofAnyPart]),
      ...otherMembers(source, [member, ...mediaType]),
    }).filter(([, option]) => !isNothing(option)),
  )
  return isInline
    ? toMedia(toText(source.mimeType), value, options)
    : toMediaReference(toText(source.mimeType) || 'application/*', value, options)
}
