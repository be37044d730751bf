import { brokenEnd, writeHttpError } from '../http-error.ts'
import { toObject } from '../json-members.ts'
import { toErrorBody } from '../openai-error.ts'
import { formatSse, jsonHeaders, sseHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { writeParts } from './write-stream.ts'

/** Errors have the shape of OpenAI's; inside a stream one is a part. */
export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  const body = toErrorBody(error)
  if (error.status >= 400) return writeHttpError(error, body)
  const end = brokenEnd(error)
  const ended = end ? { end } : {}
  if (!isStreaming(context.request)) {
    return { status: 200, headers: { ...jsonHeaders }, body: end ? '' : JSON.stringify(body), ...ended }
  }
  const { parts, chunks = [] } = error
  const events = parts ? writeParts(parts, { ...context, extras: { chunks } }, error.afterParts) : []
  const failure = formatSse({ type: 'error', error: toObject(body).error ?? body })
  return { status: 200, headers: { ...sseHeaders }, body: end ? events : [...events, failure], ...ended }
}
