import zlib, { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { isJsonObject } from '@retake/trace'
import { toJsonText } from './json-text.ts'

/** Largest body when it is decoded, as of a cassette file. */
const maxOutputLength = 64 * 2 ** 20

/**
 * The body of a request or response: `body` is a text, bytes, or a mapping with `string` or `base64_string`; `parsed_body`
 * is the value of its JSON (pydantic-ai's serializer); `content` is that of older recordings of httpx.
 * @throws Error for bytes that are not what their headers say, or too many
 */
export function bodyBytes(
  { body, parsed_body: parsed, content }: Record<string, unknown>,
  headers: Headers,
): Uint8Array<ArrayBuffer> {
  if (parsed !== undefined) return new Uint8Array(Buffer.from(toJsonText(parsed, maxOutputLength)))
  const isMapping = isJsonObject(body) && !(body instanceof Uint8Array)
  const { string, base64_string: base64 }: Record<string, unknown> = isMapping ? body : { string: body ?? content }
  if (typeof base64 === 'string') return decoded(new Uint8Array(Buffer.from(base64, 'base64')), headers)
  if (string instanceof Uint8Array) return decoded(new Uint8Array(string), headers)
  if (typeof string === 'string') return new Uint8Array(Buffer.from(string))
  if (string === undefined || string === null) return new Uint8Array()
  throw new TypeError('a body of another kind')
}

/** Recorders can store a body decoded and leave the header as it was. */
function decoded(bytes: Uint8Array<ArrayBuffer>, headers: Headers): Uint8Array<ArrayBuffer> {
  const codings = (headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .reverse()
  let result = bytes
  for (const coding of codings) {
    const decode = decoders[coding]
    if (decode && result.length > 0 && isCompressed(result, coding)) result = new Uint8Array(decode(result))
  }
  return result
}

const options = { maxOutputLength }

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, options),
  'x-gzip': (bytes) => gunzipSync(bytes, options),
  deflate: (bytes) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, options) : inflateRawSync(bytes, options)),
  br: (bytes) => brotliDecompressSync(bytes, options),
  zstd: (bytes) => unzstd(bytes),
}

/** Younger than the oldest Node that retake supports: an import of its name would stop all of retake there. */
const unzstd = (bytes: Uint8Array): Uint8Array => {
  const { zstdDecompressSync }: Partial<typeof zlib> = zlib
  if (!zstdDecompressSync)
    throw new TypeError(`a body in zstd: Node ${process.versions.node} cannot read it, 22.15 can`)
  return zstdDecompressSync(bytes, options)
}

const starts: Readonly<Record<string, readonly number[]>> = {
  gzip: [0x1f, 0x8b],
  'x-gzip': [0x1f, 0x8b],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
}

const isCompressed = (bytes: Uint8Array, coding: string): boolean =>
  starts[coding]?.every((byte, at) => bytes[at] === byte) ?? true
