import { crc32 } from 'node:zlib'
import type { JsonObject, JsonValue } from '@retake/trace'
import type { SseEvent } from './sse.ts'
import type { FrameReader } from './stream-reader.ts'

/**
 * AWS event streams (https://smithy.io/2.0/aws/amazon-eventstream.html): a frame is a prelude of three 32-bit numbers
 * (length of the frame, length of its headers, checksum of both), typed headers, a payload, a checksum. The library that
 * AWS has for them weighs megabytes; all that Bedrock uses of the format is here.
 */
const preludeLength = 12
const checksumLength = 4

/** Its length in bytes by the type of a header value; others begin with a 16-bit length. */
const fixedLengths: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 }
const stringType = 7

const utf8 = new TextDecoder()

/** Headers of the type string, by name; the others say nothing here. */
const parseHeaders = (bytes: Buffer): Map<string, string> => {
  const headers = new Map<string, string>()
  let at = 0
  while (at < bytes.length) {
    const nameEnd = at + 1 + bytes.readUInt8(at)
    const name = utf8.decode(bytes.subarray(at + 1, nameEnd))
    const type = bytes.readUInt8(nameEnd)
    const fixed = fixedLengths[type]
    const start = nameEnd + (fixed === undefined ? 3 : 1)
    const end = start + (fixed ?? bytes.readUInt16BE(nameEnd + 1))
    if (type === stringType) headers.set(name, utf8.decode(bytes.subarray(start, end)))
    at = end
  }
  return headers
}

/** One frame as JSON text with one member, named after the event. That of a failure is `error`. */
const toData = (frame: Buffer): string => {
  const headersEnd = preludeLength + frame.readUInt32BE(4)
  const headers = parseHeaders(frame.subarray(preludeLength, headersEnd))
  const payload = utf8.decode(frame.subarray(headersEnd, frame.length - checksumLength))
  const exception = headers.get(':exception-type')
  if (exception !== undefined) return JSON.stringify({ error: { exception, payload } })
  if (headers.get(':message-type') === 'error') {
    return JSON.stringify({ error: { code: headers.get(':error-code'), message: headers.get(':error-message') } })
  }
  return `{${JSON.stringify(headers.get(':event-type') ?? '')}:${payload === '' ? '{}' : payload}}`
}

const isSound = (frame: Buffer): boolean =>
  frame.readUInt32BE(frame.length - checksumLength) === crc32(frame.subarray(0, frame.length - checksumLength))

/** Gives out every frame as soon as its last byte came. One that is damaged is given out as no JSON, and ends it all. */
export const createFrameReader = (onEvent: (event: SseEvent, complete: boolean) => void): FrameReader => {
  let rest: Buffer = Buffer.alloc(0)
  let seen: FrameReader['seen'] = 'nothing'
  let isBroken = false

  /** The length of the frame that `rest` begins with; 0 for none yet. */
  const frameLength = (): number => {
    if (rest.length < preludeLength) return 0
    const length = rest.readUInt32BE(0)
    const isWhole = length >= preludeLength + checksumLength && rest.readUInt32BE(4) <= length
    return isWhole && rest.readUInt32BE(8) === crc32(rest.subarray(0, 8)) ? length : damaged()
  }

  const damaged = (): 0 => {
    isBroken = true
    if (seen === 'nothing') seen = 'other text'
    else onEvent({ data: 'a damaged frame' }, true)
    return 0
  }

  const take = (length: number): void => {
    const frame = rest.subarray(0, length)
    rest = rest.subarray(length)
    seen = 'event stream'
    if (isSound(frame)) onEvent({ data: toData(frame) }, true)
    else damaged()
  }

  return {
    push(bytes) {
      if (isBroken) return
      rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes])
      for (let length = frameLength(); length > 0 && length <= rest.length && !isBroken; length = frameLength()) {
        take(length)
      }
    },
    // A frame that broke off says nothing.
    flush() {
      if (seen !== 'nothing' || utf8.decode(rest).trim() === '') return
      seen = rest[0] === 0 ? 'event stream' : 'other text'
    },
    get seen() {
      return seen
    },
  }
}

const formatHeader = (name: string, value: string): Buffer => {
  const text = Buffer.from(value)
  const head = Buffer.from(`\0${name}\0\0\0`)
  head.writeUInt8(name.length, 0)
  head.writeUInt8(stringType, name.length + 1)
  head.writeUInt16BE(text.length, name.length + 2)
  return Buffer.concat([head, text])
}

const formatFrame = (headers: Readonly<Record<string, string>>, payload: JsonValue | undefined): Uint8Array => {
  const headerBytes = Buffer.concat(Object.entries(headers).map(([name, value]) => formatHeader(name, value)))
  const body = Buffer.from(payload === undefined ? '' : typeof payload === 'string' ? payload : JSON.stringify(payload))
  const frame = Buffer.alloc(preludeLength + headerBytes.length + body.length + checksumLength)
  frame.writeUInt32BE(frame.length, 0)
  frame.writeUInt32BE(headerBytes.length, 4)
  frame.writeUInt32BE(crc32(frame.subarray(0, 8)), 8)
  headerBytes.copy(frame, preludeLength)
  body.copy(frame, preludeLength + headerBytes.length)
  frame.writeUInt32BE(crc32(frame.subarray(0, -checksumLength)), frame.length - checksumLength)
  return frame
}

const json = { ':content-type': 'application/json' } as const

export const formatEvent = (type: string, payload: JsonObject): Uint8Array =>
  formatFrame({ ':event-type': type, ...json, ':message-type': 'event' }, payload)

/** `payload`: JSON, or the text that stood in its place. */
export const formatException = (type: string, payload: JsonValue): Uint8Array =>
  formatFrame({ ':exception-type': type, ...json, ':message-type': 'exception' }, payload)

/** A failure of the service itself, which has no payload. */
export const formatFailure = (code: string, message: string): Uint8Array =>
  formatFrame({ ':error-code': code, ':error-message': message, ':message-type': 'error' }, undefined)

export const frameHeaders = { 'content-type': 'application/vnd.amazon.eventstream' } as const
