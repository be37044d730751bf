import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, type MediaPart } from '@retake/trace'
import { isNothing, otherMembers, toObject, toText } from '../json-members.ts'
import { toMedia, toMediaReference, toTextMedia } from '../media.ts'

const kinds = ['image', 'video', 'audio', 'document']

const documentTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  csv: 'text/csv',
  html: 'text/html',
  md: 'text/markdown',
  txt: 'text/plain',
}

const typeOf = (kind: string, format: string): string => {
  if (kind !== 'document') return `${kind}/${format || '*'}`
  return documentTypes[format] ?? `application/${format || '*'}`
}

/** The media of a block; undefined for a block of another kind, or of a source that nobody knows. */
export const readMedia = (block: JsonObject): MediaPart | undefined => {
  const kind = kinds.find((name) => isJsonObject(block[name]))
  if (kind === undefined) return undefined
  const given = toObject(block[kind])
  const options = readOptions({ ...otherMembers(block, [kind]), ...otherMembers(given, ['format', 'source']) })
  const [source, ...more] = Object.entries(toObject(given.source))
  if (source === undefined || more.length > 0) return undefined
  return fromSource(source, typeOf(kind, toText(given.format)), options)
}

/** Members that say something. Citations that are switched off say what their absence says. */
export const readOptions = (members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([name, value]) => !isNothing(value) && !(name === 'citations' && toObject(value).enabled === false),
    ),
  )

const fromSource = (
  [member, value]: [string, JsonValue],
  mediaType: string,
  options: JsonObject,
): MediaPart | undefined => {
  if (member === 'bytes' && typeof value === 'string') return toMedia(mediaType, value, options)
  if (member === 'text' && typeof value === 'string') return toTextMedia(mediaType, value, options)
  if (member === 'content' && Array.isArray(value))
    return toTextMedia('application/json', canonicalJson(value), options)
  const { uri, ...rest } = toObject(value)
  if (member !== 's3Location' || typeof uri !== 'string') return undefined
  return toMediaReference(mediaType, uri, { ...options, ...rest })
}
