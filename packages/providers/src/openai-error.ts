import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { kindOfStatus, readRetry } from './http-error.ts'
import { isSameText, toText } from './json-members.ts'
import { parseStorable } from './refuse-unstorable.ts'
import type { WireError } from './wire.ts'

export type ErrorWords = Pick<WireError, 'message' | 'type' | 'code' | 'param' | 'error'>

/**
 * OpenAI's shape is `{ error: { message, type, param, code } }` (https://platform.openai.com/docs/guides/error-codes).
 * Vendors add members, leave some out, use numbers or other shapes. A body that `write` would not make of the words alone
 * is kept whole.
 */
export const readWords = (body: JsonValue, write: (words: ErrorWords) => JsonValue = toErrorBody): ErrorWords => {
  const outer: JsonObject = isJsonObject(body) ? body : {}
  const error: JsonObject = isJsonObject(outer.error) ? outer.error : {}
  const message = [error.message, outer.error, outer.message, outer.detail].find((text) => typeof text === 'string')
  const named = (name: 'type' | 'code' | 'param') => (typeof error[name] === 'string' ? { [name]: error[name] } : {})
  const words = {
    message: toText(message) || (message === '' ? '' : JSON.stringify(body)),
    ...named('type'),
    ...named('code'),
    ...named('param'),
  }
  return isSameText(body, write(words)) ? words : { ...words, error: body }
}

/** Any answer with a status of 400 or more. */
export const readError = (status: number, headers: Readonly<Record<string, string>>, text: string): WireError => {
  const body = parseStorable(text)
  const isText = body === undefined || typeof body === 'string'
  const words = isText ? { message: text, ...(text !== '' && { error: text }) } : readWords(body)
  return { status, kind: kindOfStatus(status), ...words, ...readRetry(status, headers) }
}

export const toErrorBody = ({ message, type, param, code, error }: ErrorWords): JsonValue =>
  error ?? { error: { message, type: type ?? null, param: param ?? null, code: code ?? null } }
