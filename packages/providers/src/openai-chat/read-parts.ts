import { isJsonObject, type JsonObject, type JsonValue, type MessagePart } from '@retake/trace'
import { isNothing, otherMembers, toObject, toText } from '../json-members.ts'
import { toMedia, toMediaFromFile, toMediaFromUrl } from '../media.ts'
import { keepOthers } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'

/** Anthropic's through gateways, and OpenAI's own. */
const cacheMarks = ['cache_control', 'prompt_cache_breakpoint']

/** Blocks that show thinking; like all thinking they are dropped from histories. */
const thinkingTypes = ['thinking', 'reasoning', 'redacted_thinking']

/**
 * The content of a message: one text, a list of parts, or nothing. A text may hold `echoed` members, which repeat those
 * of the message around it.
 */
export const readParts = (
  content: JsonValue | undefined,
  path: string,
  other: Unplaced,
  echoed: readonly string[] = [],
): MessagePart[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (Array.isArray(content))
    return content.flatMap((part, index) => readPart(part, `${path}[${index}]`, other, echoed))
  if (content !== undefined && content !== null) other.set(path, content)
  return []
}

const readPart = (part: JsonValue, path: string, other: Unplaced, echoed: readonly string[]): MessagePart[] => {
  if (typeof part === 'string') return [{ type: 'text', text: part }]
  if (!isJsonObject(part)) return keepWhole(part, path, other)
  const type = toText(part.type)
  if (thinkingTypes.includes(type)) return []
  if (type === 'text' && typeof part.text === 'string') {
    keepOthers(part, ['type', 'text', ...cacheMarks, ...echoed], path, other)
    return [{ type: 'text', text: part.text }]
  }
  if (type === 'refusal' && typeof part.refusal === 'string') {
    keepOthers(part, ['type', 'refusal', ...cacheMarks], path, other)
    return [{ type: 'refusal', text: part.refusal }]
  }
  const media = readMedia(type, part)
  if (!media) return keepWhole(part, path, other)
  keepOthers(part, ['type', type, ...cacheMarks], path, other)
  return [media]
}

const keepWhole = (part: JsonValue, path: string, other: Unplaced): [] => {
  other.set(path, part)
  return []
}

const addressed: Readonly<Record<string, string>> = {
  image_url: 'image/*',
  video_url: 'video/*',
  audio_url: 'audio/*',
  document_url: 'application/pdf',
}

const readMedia = (type: string, part: JsonObject): MessagePart | undefined => {
  const given = part[type]
  const fallbackType = addressed[type]
  if (fallbackType) {
    // Some vendors take the address itself where OpenAI wants an object around it.
    const url = typeof given === 'string' ? given : toText(toObject(given).url)
    return url === '' ? undefined : toMediaFromUrl(url, fallbackType, withoutDefaults(given, ['url']))
  }
  const file = toObject(given)
  if (type === 'input_audio' && typeof file.data === 'string') {
    const mediaType = `audio/${toText(file.format) || '*'}`
    return toMedia(mediaType, file.data, otherMembers(file, ['data', 'format']))
  }
  if (type !== 'file') return undefined
  return toMediaFromFile(file, otherMembers(file, ['file_data', 'file_id']))
}

const withoutDefaults = (given: JsonValue | undefined, named: string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(otherMembers(toObject(given), named)).filter(
      ([name, value]) => !isNothing(value) && !(name === 'detail' && value === 'auto'),
    ),
  )
