import { EventStreamCodec } from '@smithy/core/event-streams'

/** Frames as AWS's own library writes them. */

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
  (text) => Buffer.from(text, 'utf8'),
)

const frame = (headers: Record<string, string>, body: string): Uint8Array =>
  codec.encode({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { type: 'string', value }])),
    body: Buffer.from(body, 'utf8'),
  })

const json = { ':content-type': 'application/json' }

/** `p` is the padding that hides how long a token is. */
export const eventFrame = (type: string, payload: object): Uint8Array =>
  frame({ ':event-type': type, ...json, ':message-type': 'event' }, JSON.stringify({ ...payload, p: 'abcdefghij' }))

export const exceptionFrame = (type: string, message: string): Uint8Array =>
  frame({ ':exception-type': type, ...json, ':message-type': 'exception' }, JSON.stringify({ message }))

export const failureFrame = (code: string, message: string): Uint8Array =>
  frame({ ':message-type': 'error', ':error-code': code, ':error-message': message }, '')

export const framesType = { 'content-type': 'application/vnd.amazon.eventstream' }
