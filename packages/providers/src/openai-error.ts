import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { kindOfStatus, readRetry } from './http-error.ts'
import { parseJson, toText } from './json-members.ts'
import type { WireError } from './wire.ts'

export type ErrorWords = Pick<WireError, 'message' | 'type' | 'code' | 'param' | 'error'>

/**
 * OpenAI's shape is `{ error: { message, type, param, code } }` (https://platform.openai.com/docs/guides/error-codes).
 * Vendors add members, use numbers or other shapes; such a body is kept whole.
 */
export const readWords = (body: JsonValue): ErrorWords => {
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

/** Any answer with a status of 400 or more. */
export const readError = (status: number, headers: Readonly<Record<string, string>>, text: string): WireError => {
  const body = parseJson(text)
  const isText = body === undefined || typeof body === 'string'
  const words = isText ? { message: text, ...(text !== '' && { error: text }) } : readWords(body)
  return { status, kind: kindOfStatus(status), ...words, ...readRetry(status, headers) }
}

export const toErrorBody = ({ message, type, param, code, error }: WireError): JsonValue =>
  error ?? { error: { message, type: type ?? null, param: param ?? null, code: code ?? null } }
