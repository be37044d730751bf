import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { FakeReply } from './reply.ts'

export interface TrafficBody {
  /** `json`: any value · `text`: a string · `base64`: bytes as a string · `none`: null */
  body: unknown
  body_encoding: 'json' | 'text' | 'base64' | 'none'
  headers: Record<string, string>
}

/** One recorded exchange with a real provider: a line of a traffic file. */
export interface TrafficExchange {
  run: string
  turn: number
  provider: string
  endpoint: string
  streaming: boolean
  /** null where only the answer is known. The host of `url` may be masked, so it need not parse. */
  request: (TrafficBody & { method: string; url: string }) | null
  response: TrafficBody & { status: number }
}

/** A line of a traffic file is not an exchange. `line` counts from 1. */
export class TrafficError extends Error {
  readonly line: number

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`)
    this.line = line
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isBody = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  isRecord(value.headers) &&
  (value.body_encoding === 'json' ||
    value.body_encoding === 'none' ||
    ((value.body_encoding === 'text' || value.body_encoding === 'base64') && typeof value.body === 'string'))

/** What keeps `value` from being an exchange. */
const faultOf = (value: unknown): string | undefined => {
  if (!isRecord(value)) return 'is no JSON object'
  for (const name of ['run', 'provider', 'endpoint']) if (typeof value[name] !== 'string') return `${name} is no string`
  if (typeof value.turn !== 'number') return 'turn is no number'
  if (typeof value.streaming !== 'boolean') return 'streaming is no boolean'
  const { request, response } = value
  if (!isBody(response) || typeof response.status !== 'number') return 'response is not {status, headers, body, …}'
  if (request === null) return undefined
  if (!isBody(request) || typeof request.method !== 'string' || typeof request.url !== 'string')
    return 'request is not {method, url, headers, body, …}'
  return undefined
}

/** @throws TrafficError with the number of the first broken line */
export const parseTraffic = (text: string): TrafficExchange[] =>
  text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      throw new TrafficError(index + 1, 'is no JSON')
    }
    const fault = faultOf(value)
    if (fault !== undefined) throw new TrafficError(index + 1, fault)
    return [value as TrafficExchange]
  })

/** Reads a `.jsonl` or `.jsonl.gz` file. */
export const readTraffic = async (path: string): Promise<TrafficExchange[]> => {
  const bytes = await readFile(path)
  const zipped = bytes[0] === 0x1f && bytes[1] === 0x8b
  return parseTraffic((zipped ? gunzipSync(bytes) : bytes).toString('utf8'))
}

/** The body as it went over the wire, after any content encoding was undone. */
export const trafficBytes = ({ body, body_encoding }: TrafficBody): Uint8Array => {
  if (body_encoding === 'none') return new Uint8Array()
  if (body_encoding === 'json') return Buffer.from(JSON.stringify(body))
  return Buffer.from(body as string, body_encoding === 'base64' ? 'base64' : 'utf8')
}

const ofTheConnection = /^(connection|keep-alive|transfer-encoding|content-length|content-encoding|trailer|upgrade)$/

/** The recorded answer. Text bodies go out in pieces of `chunkBytes`, which also cut through characters. */
export const trafficReply = ({ response }: TrafficExchange, chunkBytes = 1000): FakeReply => {
  const bytes = trafficBytes(response)
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !ofTheConnection.test(name)))
  if (response.body_encoding !== 'text') return { status: response.status, headers, body: bytes }
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, i) =>
    bytes.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  )
  return { status: response.status, headers, chunks }
}
