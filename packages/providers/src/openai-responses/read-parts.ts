import { isJsonObject, type JsonObject, type JsonValue, type MessagePart } from '@retake/trace'
import { isNothing, otherMembers, toObject, toText } from '../json-members.ts'
import { toMedia, toMediaFromFile, toMediaFromUrl, toMediaReference } from '../media.ts'
import { keepOthers } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'
import { echoedTextMembers } from './fields.ts'

/** The content of a message or the output of a tool: one text, or a list of parts. Thinking is dropped. */
export const readParts = (content: JsonValue | undefined, path: string, other: Unplaced): MessagePart[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (Array.isArray(content)) return content.flatMap((part, index) => readPart(part, `${path}[${index}]`, other))
  if (content !== undefined && content !== null) other.set(path, content)
  return []
}

const textTypes = ['input_text', 'output_text', 'text']
const thinkingTypes = ['reasoning_text', 'summary_text']

const readPart = (part: JsonValue, path: string, other: Unplaced): MessagePart[] => {
  const type = isJsonObject(part) ? toText(part.type) : ''
  if (!isJsonObject(part)) {
    other.set(path, part)
    return []
  }
  if (thinkingTypes.includes(type)) return []
  if (textTypes.includes(type) && typeof part.text === 'string') {
    keepOthers(part, ['type', 'text', ...echoedTextMembers], path, other)
    return [{ type: 'text', text: part.text }]
  }
  if (type === 'refusal' && typeof part.refusal === 'string') {
    keepOthers(part, ['type', 'refusal'], path, other)
    return [{ type: 'refusal', text: part.refusal }]
  }
  const media = readMedia(type, part)
  if (!media) other.set(path, part)
  return media ? [media] : []
}

const readMedia = (type: string, part: JsonObject): MessagePart | undefined => {
  const options = (...named: string[]): JsonObject =>
    Object.fromEntries(
      Object.entries(otherMembers(part, ['type', 'prompt_cache_breakpoint', ...named])).filter(
        ([name, value]) => !isNothing(value) && !(name === 'detail' && value === 'auto'),
      ),
    )
  if (type === 'input_image') {
    const { image_url: url, file_id: id } = part
    if (typeof url === 'string') return toMediaFromUrl(url, 'image/*', options('image_url'))
    return typeof id === 'string' ? toMediaReference('image/*', id, options('file_id')) : undefined
  }
  if (type === 'input_file') {
    const { file_url: url } = part
    if (typeof url === 'string') return toMediaFromUrl(url, 'application/*', options('file_url'))
    return toMediaFromFile(part, options(typeof part.file_id === 'string' ? 'file_id' : 'file_data'))
  }
  if (type !== 'input_audio') return undefined
  const audio = toObject(part.input_audio)
  if (typeof audio.data !== 'string') return undefined
  const unread = { ...otherMembers(audio, ['data', 'format']), ...options('input_audio') }
  return toMedia(`audio/${toText(audio.format) || '*'}`, audio.data, unread)
}
