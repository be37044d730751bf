import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { brokenEnd, kindOfStatus, readRetry, writeHttpError } from '../http-error.ts'
import { parseJson, toText } from '../json-members.ts'
import { formatSse, jsonHeaders, sseHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { writeParts } from './write-stream.ts'

type Words = Pick<WireError, 'message' | 'type' | 'code' | 'param' | 'error'>

/**
 * OpenAI's shape is `{ error: { message, type, param, code } }` (https://platform.openai.com/docs/guides/error-codes).
 * Vendors add members, use numbers or other shapes; such a body is kept whole.
 */
const readWords = (body: JsonValue): Words => {
  const outer: JsonObject = isJsonObject(body) ? body : {}
  const error: JsonObject = isJsonObject(outer.error) ? outer.error : {}
  const message = [error.message, outer.error, outer.message, outer.detail].find((text) => typeof text === 'string')
  const named = (name: 'type' | 'code' | 'param') => (typeof error[name] === 'string' ? { [name]: error[name] } : {})
  return {
    message: toText(message) || (message === '' ? '' : JSON.stringify(body)),
    ...named('type'),
    ...named('code'),
    ...named('param'),
    ...(!isOrdinary(body) && { error: body }),
  }
}

const isOrdinary = (body: JsonValue): boolean => {
  if (!isJsonObject(body) || !isJsonObject(body.error) || typeof body.error.message !== 'string') return false
  const words = Object.entries(body.error)
  const names = ['message', 'type', 'param', 'code']
  return (
    Object.keys(body).every((name) => name === 'error') &&
    words.every(([name, value]) => names.includes(name) && (value === null || typeof value === 'string'))
  )
}

export const readError = (status: number, headers: Readonly<Record<string, string>>, text: string): WireError => {
  const body = parseJson(text)
  const isText = body === undefined || typeof body === 'string'
  const words = isText ? { message: text, ...(text !== '' && { error: text }) } : readWords(body)
  return { status, kind: kindOfStatus(status), ...words, ...readRetry(status, headers) }
}

/** An error object among the chunks of a stream; the rest of its chunk says nothing more. */
export const readStreamError = (error: JsonValue): WireError => ({
  status: 200,
  kind: 'server',
  ...readWords({ error }),
})

const toBody = ({ message, type, param, code, error }: WireError): JsonValue =>
  error ?? { error: { message, type: type ?? null, param: param ?? null, code: code ?? null } }

export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  if (error.status >= 400) return writeHttpError(error, toBody(error))
  const end = brokenEnd(error)
  const ended = end ? { end } : {}
  if (!isStreaming(context.request)) {
    return { status: 200, headers: { ...jsonHeaders }, body: end ? '' : JSON.stringify(toBody(error)), ...ended }
  }
  const { parts, chunks = [] } = error
  const events = parts ? writeParts(parts, { ...context, extras: { chunks } }) : []
  return {
    status: 200,
    headers: { ...sseHeaders },
    body: end ? events : [...events, formatSse(toBody(error))],
    ...ended,
  }
}
