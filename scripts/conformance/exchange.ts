import { describeRoute, findEndpoint, findWire } from '@retake/providers'
import type { JsonValue } from '@retake/trace'
import { type TrafficExchange, trafficBytes } from '../../test/support/fake-provider/traffic.ts'
import { isFrames } from './frames.ts'
import type { HttpAnswer } from './read-said.ts'

/** An exchange with its request: what can be sent again. */
export type SentExchange = TrafficExchange & { request: NonNullable<TrafficExchange['request']> }

/** The recorded path and query on another origin: retake recognises its routes by path and shape, on any host. */
export const urlOn = (origin: string, { request }: SentExchange): string =>
  origin + request.url.replace(/^[a-z]+:\/\/[^/?]*/i, '')

/** True where retake has a wire for the request, or records its endpoint. */
export const isInScope = (exchange: TrafficExchange): exchange is SentExchange => {
  const { request } = exchange
  if (request === null || request.method !== 'POST' || request.body_encoding !== 'json') return false
  const url = new URL(urlOn('http://127.0.0.1', exchange as SentExchange))
  const wire = findWire(url, request.body as JsonValue)
  return wire !== undefined || findEndpoint(describeRoute('POST', url)?.name ?? '') !== undefined
}

/** Text; the frames of AWS as one character a byte. */
const decode = (bytes: Uint8Array, headers: Readonly<Record<string, string>>): string =>
  Buffer.from(bytes).toString(isFrames(headers) ? 'latin1' : 'utf8')

/** The recorded answer as a plain HTTP client got it. */
export const originalAnswer = ({ response }: TrafficExchange): HttpAnswer => ({
  status: response.status,
  headers: response.headers,
  body: decode(trafficBytes(response), response.headers),
})

const ofTheConnection = /^(host|connection|keep-alive|transfer-encoding|content-length|accept-encoding|expect|upgrade)$/

// The traffic came without credentials, and a recording needs some.
const key = 'conformance-harness-key'

/** The recorded request, ready to be sent. */
export const requestOf = ({ request }: SentExchange): RequestInit => {
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !ofTheConnection.test(name)))
  return {
    method: request.method,
    headers: { authorization: `Bearer ${key}`, 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(request.body),
  }
}

/** Makes a request and reads the answer to its end, or to where it breaks. */
export const fetchAnswer = async (
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
): Promise<HttpAnswer> => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) })
  const { status } = response
  const headers = Object.fromEntries(response.headers)
  const chunks: Uint8Array[] = []
  let broken = false
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk)
  } catch {
    broken = true
  }
  return { status, headers, body: decode(Buffer.concat(chunks), headers), ...(broken && { broken }) }
}
