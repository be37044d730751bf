import { createHash } from 'node:crypto'
import type { JsonObject, MediaPart } from '@retake/trace'
import { decodeSegment } from './decode-segment.ts'

/** Members beside the data that change what the model sees: `detail`, `title`, `filename` … */
type Options = JsonObject | undefined

const toPart = (mediaType: string, bytes: Buffer, options: Options): MediaPart => ({
  type: 'media',
  mediaType,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: bytes.length,
  ...withOptions(options),
})

export const toMedia = (mediaType: string, base64: string, options?: Options): MediaPart =>
  toPart(mediaType, Buffer.from(base64, 'base64'), options)

export const toTextMedia = (mediaType: string, text: string, options?: Options): MediaPart =>
  toPart(mediaType, Buffer.from(text, 'utf8'), options)

export const toMediaReference = (mediaType: string, ref: string, options?: Options): MediaPart => ({
  type: 'media',
  mediaType,
  ref,
  ...withOptions(options),
})

/** Bytes where the address is a data URL (RFC 2397), else the address. `fallbackType` is for those that name no type. */
export const toMediaFromUrl = (url: string, fallbackType: string, options?: Options): MediaPart => {
  const comma = url.indexOf(',')
  if (!/^data:/i.test(url) || comma === -1) return toMediaReference(fallbackType, url, options)
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  const data = url.slice(comma + 1)
  const type = mediaType || 'text/plain'
  if (parameters.some((parameter) => parameter.trim().toLowerCase() === 'base64')) return toMedia(type, data, options)
  return toTextMedia(type, decodeSegment(data), options)
}

/** A file by its id, or by its bytes: a data URL or plain base64. */
export const toMediaFromFile = (file: JsonObject, options?: Options): MediaPart | undefined => {
  const { file_id: id, file_data: data } = file
  if (typeof id === 'string') return toMediaReference('application/*', id, options)
  if (typeof data !== 'string') return undefined
  return data.startsWith('data:')
    ? toMediaFromUrl(data, 'application/*', options)
    : toMedia('application/*', data, options)
}

const withOptions = (options: Options) => (options && Object.keys(options).length > 0 ? { options } : {})
