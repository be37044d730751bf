import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { extrasOfError } from '../extras.ts'
import { brokenEnd, kindOfStatus, readRetry, writeHttpError } from '../http-error.ts'
import { isNothing, isSameText, toObject, toObjects, toText } from '../json-members.ts'
import { parseStorable } from '../refuse-unstorable.ts'
import { jsonHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { isStreaming, streamsJson } from './route.ts'
import { formatStream, writeResponses } from './write-stream.ts'

type Words = Pick<WireError, 'message' | 'type' | 'code' | 'error'>

/** HTTP statuses and the names of their canonical codes (https://cloud.google.com/apis/design/errors). */
const names: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const statusOfName = (name: string): number => Number(Object.entries(names).find(([, one]) => one === name)?.[0] ?? 500)

const nameOf = (status: number): string => names[status] ?? (status < 500 ? 'FAILED_PRECONDITION' : 'UNKNOWN')

const errorInfo = 'type.googleapis.com/google.rpc.ErrorInfo'

/**
 * `{ error: { code, message, status, details } }`, in a list where the reply would have been one. The status is the type
 * of the error, the reason in its details the code.
 */
const readWords = (body: JsonValue, status: number): Words => {
  const outer = toObject(Array.isArray(body) ? body[0] : body)
  const error = toObject(outer.error)
  const message = [error.message, outer.error, outer.message, outer.detail].find((text) => typeof text === 'string')
  const reason = toObjects(error.details).find((detail) => detail['@type'] === errorInfo)?.reason
  const words = {
    message: toText(message) || (message === '' ? '' : JSON.stringify(body)),
    ...(typeof error.status === 'string' && { type: error.status }),
    ...(typeof reason === 'string' && { code: reason }),
  }
  return isSameText(outer, toBody({ status, kind: '', ...words })) ? words : { ...words, error: body }
}

/** Google tells in the details how long to wait (google.rpc.RetryInfo): `"7s"`, `"48.93s"`. */
const readRetryInfo = (body: JsonValue | undefined): Pick<WireError, 'retryAfterMs' | 'retryAfterIn'> => {
  const error = toObject(toObject(Array.isArray(body) ? body[0] : body).error)
  const delays = toObjects(error.details).map(({ retryDelay }) => /^([\d.]+)s$/.exec(toText(retryDelay))?.[1])
  const seconds = Number(delays.find((delay) => delay !== undefined) ?? Number.NaN)
  return Number.isFinite(seconds) ? { retryAfterMs: Math.round(seconds * 1000), retryAfterIn: 'body' } : {}
}

export const readError = (status: number, headers: Readonly<Record<string, string>>, text: string): WireError => {
  const body = parseStorable(text)
  const isText = body === undefined || typeof body === 'string'
  const words = isText ? { message: text, ...(text !== '' && { error: text }) } : readWords(body, status)
  return {
    status,
    kind: kindOfStatus(status),
    ...words,
    ...(!headers['retry-after'] && readRetryInfo(body)),
    ...readRetry(status, headers),
  }
}

/** An error that came with status 200 in the place of a response, as gateways send it. */
export const readFailure = (body: JsonValue): WireError | undefined =>
  isJsonObject(body) && body.candidates === undefined && !isNothing(body.error) ? readStreamError(body) : undefined

/** An error among the responses of a stream. */
export const readStreamError = (response: JsonObject): WireError => {
  const { code, status } = toObject(response.error)
  const told = typeof code === 'number' && code >= 400 ? code : statusOfName(toText(status))
  return { status: 200, kind: kindOfStatus(told), ...readWords(response, 200), ...readRetryInfo(response) }
}

const toBody = ({ status, message, type, code, error }: WireError): JsonValue => {
  if (error !== undefined) return error
  const httpStatus = status >= 400 ? status : statusOfName(type ?? '')
  const details = code === undefined ? {} : { details: [{ '@type': errorInfo, reason: code }] }
  return { error: { code: httpStatus, message, status: type ?? nameOf(httpStatus), ...details } }
}

export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  const { request } = context
  const body = toBody(error)
  if (error.status >= 400) {
    return writeHttpError(error, streamsJson(request) && !Array.isArray(body) ? [body] : body)
  }
  const end = brokenEnd(error)
  const ended = end ? { end } : {}
  if (!isStreaming(request)) {
    return { status: 200, headers: { ...jsonHeaders }, body: end ? '' : JSON.stringify(body), ...ended }
  }
  const { parts } = error
  const responses = parts ? writeResponses(parts, { ...context, extras: extrasOfError(error) }) : []
  const last = isJsonObject(body) && !isNothing(body) && !end ? [body] : []
  return { ...formatStream([...responses, ...last], request, !end), ...ended }
}
