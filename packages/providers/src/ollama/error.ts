import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { brokenEnd, kindOfStatus, readRetry, writeHttpError } from '../http-error.ts'
import { isSameText, toObject, toText } from '../json-members.ts'
import { parseStorable } from '../refuse-unstorable.ts'
import { jsonHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { formatLine, lineHeaders } from './json-lines.ts'
import { isStreaming } from './route.ts'
import { writeParts } from './write-stream.ts'

type Words = Pick<WireError, 'message' | 'type' | 'code' | 'param' | 'error'>

const names = ['type', 'code', 'param'] as const

/** `{ error: "…" }`. Servers between add members or have other shapes; such a body is kept whole. */
const readWords = (body: JsonValue): Words => {
  const outer = toObject(body)
  const { error } = outer
  const message = [error, toObject(error).message, outer.message, outer.detail].find((text) => typeof text === 'string')
  const named = names.flatMap((name) => (typeof outer[name] === 'string' ? [[name, outer[name]]] : []))
  const words: Words = {
    message: toText(message) || (message === '' ? '' : JSON.stringify(body)),
    ...Object.fromEntries(named),
  }
  return isSameText(body, toBody(words)) ? words : { ...words, error: body }
}

export const readError = (status: number, headers: Readonly<Record<string, string>>, text: string): WireError => {
  const body = parseStorable(text)
  const isText = body === undefined || typeof body === 'string'
  const words = isText ? { message: text, ...(text !== '' && { error: text }) } : readWords(body)
  return { status, kind: kindOfStatus(status), ...words, ...readRetry(status, headers) }
}

/** A line of a stream that is an error. */
export const readStreamError = (line: JsonObject): WireError => ({ status: 200, kind: 'server', ...readWords(line) })

const toBody = ({ message, type, code, param, error }: Words): JsonObject =>
  isJsonObject(error)
    ? error
    : { error: message, ...(type && { type }), ...(code && { code }), ...(param && { param }) }

export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  if (error.status >= 400) return writeHttpError(error, toBody(error))
  const end = brokenEnd(error)
  const ended = end ? { end } : {}
  if (!isStreaming(context.request)) {
    return { status: 200, headers: { ...jsonHeaders }, body: end ? '' : JSON.stringify(toBody(error)), ...ended }
  }
  const { parts, chunks = [] } = error
  const lines = parts ? writeParts(parts, { ...context, extras: { chunks } }) : []
  return {
    status: 200,
    headers: { ...lineHeaders },
    body: end ? lines : [...lines, formatLine(toBody(error))],
    ...ended,
  }
}
