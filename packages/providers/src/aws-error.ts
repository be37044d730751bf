import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { formatException, formatFailure } from './event-frames.ts'
import { kindOfStatus, readRetry, writeHttpError } from './http-error.ts'
import { toObject, toText } from './json-members.ts'
import { parseStorable } from './refuse-unstorable.ts'
import type { WireAnswer, WireError } from './wire.ts'

type Words = Pick<WireError, 'message' | 'type' | 'code' | 'error'>

/** Errors of the runtime and their statuses (https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html). */
const statuses: Readonly<Record<string, number>> = {
  accessdenied: 403,
  resourcenotfound: 404,
  modeltimeout: 408,
  validation: 400,
  throttling: 429,
  modelnotready: 429,
  servicequotaexceeded: 400,
  modelerror: 424,
  modelstreamerror: 424,
  internalserver: 500,
  serviceunavailable: 503,
}

const statusOf = (type: string): number => statuses[type.replace(/Exception$/, '').toLowerCase()] ?? 500

/** `{ message }`, and the name of the error in a header. A body with more, or of another shape, is kept whole. */
const readWords = (body: JsonValue): Words => {
  const outer = toObject(body)
  const { error } = outer
  const message = [outer.message, outer.Message, toObject(error).message, error, outer.detail].find(
    (text) => typeof text === 'string',
  )
  const { message: own, code, ...others } = outer
  const isOrdinary =
    isJsonObject(body) &&
    typeof own === 'string' &&
    (code === undefined || typeof code === 'string') &&
    Object.keys(others).length === 0
  return {
    message: toText(message) || (message === '' ? '' : JSON.stringify(body)),
    ...(typeof code === 'string' && { code }),
    ...(!isOrdinary && { error: body }),
  }
}

const readText = (text: string): Words => {
  const body = parseStorable(text)
  if (body === undefined || typeof body === 'string') return { message: text, ...(text !== '' && { error: text }) }
  return readWords(body)
}

/** `ThrottlingException:http://internal.amazon.com/coral/…`: clients look no further than the colon. */
const readType = (header: string | undefined): Pick<WireError, 'type'> => {
  const type = header?.split(':', 1)[0]?.split(',', 1)[0]
  return type ? { type } : {}
}

export const readError = (status: number, headers: Readonly<Record<string, string>>, text: string): WireError => {
  const wait = headers['x-amz-retry-after']
  return {
    status,
    kind: kindOfStatus(status),
    ...readText(text),
    ...readType(headers['x-amzn-errortype']),
    ...readRetry(status, { ...(wait !== undefined && { 'retry-after-ms': wait }), ...headers }),
  }
}

/** A frame that is no event: an exception of the API, or a failure of the service around it. */
export const readFrameError = ({ exception, payload, code, message }: JsonObject): WireError => {
  if (exception === undefined) {
    const type = toText(code)
    return { status: 200, kind: kindOfStatus(statusOf(type)), message: toText(message), type, error: null }
  }
  const type = toText(exception)
  return { status: 200, kind: kindOfStatus(statusOf(type)), type, ...readText(toText(payload)) }
}

export const toBody = ({ message, code, error }: WireError): JsonValue => error ?? { message, ...(code && { code }) }

export const writeFrameError = (error: WireError): Uint8Array => {
  const type = error.type ?? 'internalServerException'
  return error.error === null ? formatFailure(type, error.message) : formatException(type, toBody(error))
}

/** An answer with a status of 400 or more: clients of AWS look for the name of the error in a header. */
export const writeAwsHttpError = (error: WireError): WireAnswer => {
  const answer = writeHttpError(error, toBody(error))
  const name = error.type === undefined ? {} : { 'x-amzn-errortype': error.type }
  return { ...answer, headers: { ...answer.headers, ...name } }
}
