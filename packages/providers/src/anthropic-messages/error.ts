import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { extrasOfError } from '../extras.ts'
import { brokenEnd, kindOfStatus, readRetry, writeHttpError } from '../http-error.ts'
import { isSameText, toObject, toText } from '../json-members.ts'
import { parseStorable } from '../refuse-unstorable.ts'
import { formatSse, jsonHeaders, sseHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { writeParts } from './write-stream.ts'

type Words = Pick<WireError, 'message' | 'type' | 'code' | 'error'>

/** Types and their statuses (https://platform.claude.com/docs/en/api/errors). */
const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const typeOf = (status: number): string => types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')

const statusOfType = (type: string): number =>
  Number(Object.entries(types).find(([, name]) => name === type)?.[0] ?? 500)

/** `{ type: 'error', error: { type, message, details? }, request_id }`; the code is `details.error_code`. */
const readWords = (body: JsonValue): Words => {
  const outer: JsonObject = isJsonObject(body) ? body : {}
  const error = toObject(outer.error)
  const message = [error.message, outer.error, outer.message, outer.detail].find((text) => typeof text === 'string')
  const code = toText(toObject(error.details).error_code)
  const words = {
    message: toText(message) || (message === '' ? '' : JSON.stringify(body)),
    ...(typeof error.type === 'string' && { type: error.type }),
    ...(code !== '' && { code }),
  }
  const kept = withoutRequestId(body)
  const written = toBody({ status: 0, kind: '', ...words })
  return [written, withoutMember(written)].some((one) => isSameText(one, kept)) ? words : { ...words, error: kept }
}

/** The id of a request is made anew; that it has one is not. */
const withoutRequestId = (body: JsonValue): JsonValue =>
  isJsonObject(body) && 'request_id' in body ? { ...body, request_id: null } : body

const withoutMember = ({ request_id: _, ...rest }: JsonObject): JsonObject => rest

export const readError = (status: number, headers: Readonly<Record<string, string>>, text: string): WireError => {
  const body = parseStorable(text)
  const isText = body === undefined || typeof body === 'string'
  const words = isText ? { message: text, ...(text !== '' && { error: text }) } : readWords(body)
  return { status, kind: kindOfStatus(status), ...words, ...readRetry(status, headers) }
}

/** An error that came with status 200 in the place of a message, as gateways send it. */
export const readFailure = (body: JsonValue): WireError | undefined =>
  isJsonObject(body) && (body.type === 'error' || (body.content === undefined && isJsonObject(body.error)))
    ? readStreamError(body)
    : undefined

/** An `error` event among those of a stream. */
export const readStreamError = (event: JsonObject): WireError => {
  const words = readWords(event)
  return { status: 200, kind: kindOfStatus(statusOfType(words.type ?? '')), ...words }
}

const toBody = ({ status, message, type, code }: WireError): JsonObject => ({
  type: 'error',
  error: { type: type ?? typeOf(status), message, ...(code !== undefined && { details: { error_code: code } }) },
  request_id: null,
})

export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  if (error.status >= 400) return writeHttpError(error, toBody(error))
  const body = error.error ?? toBody(error)
  const end = brokenEnd(error)
  const ended = end ? { end } : {}
  if (!isStreaming(context.request)) {
    return { status: 200, headers: { ...jsonHeaders }, body: end ? '' : JSON.stringify(body), ...ended }
  }
  const { parts } = error
  const events = parts ? writeParts(parts, { ...context, extras: extrasOfError(error) }, error.afterParts) : []
  return {
    status: 200,
    headers: { ...sseHeaders },
    // The event of a stream names no request.
    body: end ? events : [...events, formatSse(isJsonObject(body) ? withoutMember(body) : body, 'error')],
    ...ended,
  }
}
