import type { JsonValue } from '@retake/trace'
import { brokenEnd, writeHttpError } from '../http-error.ts'
import { readWords, toErrorBody } from '../openai-error.ts'
import { formatSse, jsonHeaders, sseHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { writeParts } from './write-stream.ts'

/** An error object among the chunks of a stream; the rest of its chunk says nothing more. */
export const readStreamError = (error: JsonValue): WireError => ({
  status: 200,
  kind: 'server',
  ...readWords({ error }),
})

export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  if (error.status >= 400) return writeHttpError(error, toErrorBody(error))
  const end = brokenEnd(error)
  const ended = end ? { end } : {}
  if (!isStreaming(context.request)) {
    return { status: 200, headers: { ...jsonHeaders }, body: end ? '' : JSON.stringify(toErrorBody(error)), ...ended }
  }
  const { parts, chunks = [] } = error
  const events = parts ? writeParts(parts, { ...context, extras: { chunks } }) : []
  return {
    status: 200,
    headers: { ...sseHeaders },
    body: end ? events : [...events, formatSse(toErrorBody(error))],
    ...ended,
  }
}
