import { CassetteCorruptError, isJsonObject } from '@retake/trace'
import { bodyBytes } from './body-bytes.ts'

/** One request and its response, as VCR or vcrpy recorded them. */
export interface Interaction {
  /** Upper case. */
  method: string
  url: URL
  request: RecordedMessage
  status: number
  /** The reason phrase; empty where none was sent. */
  statusText: string
  response: RecordedMessage
  /** When it was over, in milliseconds since the epoch; undefined where the recording does not tell. */
  at: number | undefined
}

export interface RecordedMessage {
  headers: Headers
  /** Decoded. */
  bytes: Uint8Array<ArrayBuffer>
}

const listIn = (value: unknown): unknown[] | undefined => {
  if (!isJsonObject(value)) return undefined
  const list = value.http_interactions ?? value.interactions
  return Array.isArray(list) ? list : undefined
}

/**
 * The interactions of a recording, in their order.
 * @throws CassetteCorruptError that names the interaction, from 1, and its member
 */
export function toInteractions(value: unknown, path?: string): Interaction[] {
  const list = listIn(value)
  if (!list) throw broken('it has neither http_interactions nor interactions', path)
  return list.map((item, index) => {
    try {
      return toInteraction(item)
    } catch (error) {
      if (error instanceof MemberFault) throw broken(`interaction ${index + 1}: ${error.message}`, path, index + 1)
      throw error
    }
  })
}

class MemberFault extends Error {}

const broken = (reason: string, path: string | undefined, interaction?: number): CassetteCorruptError =>
  new CassetteCorruptError(`the recording is broken: ${reason}${path === undefined ? '' : `\n  ${path}`}`, {
    ...(path !== undefined && { path }),
    ...(interaction !== undefined && { interaction }),
  })

function toInteraction(item: unknown): Interaction {
  const { request, response, recorded_at: recordedAt } = members(item, 'the interaction')
  const asked = members(request, 'request')
  const given = members(response, 'response')
  const { uri, method } = asked
  const url = typeof uri === 'string' ? toUrl(uri) : undefined
  if (!url) throw new MemberFault('request.uri is no URL')
  if (typeof method !== 'string') throw new MemberFault('request.method is no text')
  const answer = toMessage(given, 'response')
  const { code, message } = toStatus(given)
  return {
    method: method.toUpperCase(),
    url,
    request: toMessage(asked, 'request'),
    status: code,
    statusText: message,
    response: answer,
    at: firstTime(recordedAt, answer.headers.get('date')),
  }
}

/** Where a filter of VCR took a secret out of the host, a word stands in for it: `bedrock-runtime.<AWS_REGION>.amazonaws.com`. */
function toUrl(uri: string): URL | undefined {
  const text = URL.canParse(uri)
    ? uri
    : uri.replace(/<([\w -]+)>/g, (_, word) => word.toLowerCase().replace(/\W|_/g, '-'))
  return URL.canParse(text) ? new URL(text) : undefined
}

function members(value: unknown, name: string): Record<string, unknown> {
  if (!isJsonObject(value)) throw new MemberFault(`${name} is no mapping`)
  return value
}

/** `status_code` is that of older recordings of httpx. */
function toStatus({ status, status_code: older }: Record<string, unknown>): { code: number; message: string } {
  const { code, message } = isJsonObject(status) ? status : { code: older, message: '' }
  const number = Number(code)
  if (!(Number.isInteger(number) && number >= 100 && number <= 599))
    throw new MemberFault('response.status has no code')
  return { code: number, message: typeof message === 'string' ? message : '' }
}

function toMessage(message: Record<string, unknown>, name: string): RecordedMessage {
  const headers = toHeaders(message.headers)
  try {
    return { headers, bytes: bodyBytes(message, headers) }
  } catch {
    throw new MemberFault(`the body of ${name} cannot be decoded`)
  }
}

/** A header is a text or a list of texts. Those that no request can have are left out. */
function toHeaders(given: unknown): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(isJsonObject(given) ? given : {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      try {
        headers.append(name, String(one))
      } catch {
        // Binary header values and names with spaces.
      }
    }
  }
  return headers
}

function firstTime(...given: unknown[]): number | undefined {
  const times = given.map((time) => (typeof time === 'string' ? Date.parse(time) : Number.NaN))
  return times.find((time) => Number.isSafeInteger(time))
}
