import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { extrasOfError } from '../extras.ts'
import { brokenEnd, writeHttpError } from '../http-error.ts'
import { isNothing, toObject, toText } from '../json-members.ts'
import { type ErrorWords, readWords, toErrorBody } from '../openai-error.ts'
import { formatSse, jsonHeaders, sseHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { writeItems } from './write-items.ts'
import { writeResponse } from './write-response.ts'
import { type Event, formatEvents, writeEvents } from './write-stream.ts'

const kinds: Readonly<Record<string, string>> = {
  rate_limit_exceeded: 'rate_limit',
  insufficient_quota: 'rate_limit',
  vector_store_timeout: 'timeout',
  invalid_prompt: 'invalid_request',
}

/** Words of an error that came with status 200; `whole` is what it came in. */
const readFailedWords = (error: JsonValue, whole?: JsonObject): WireError => {
  const { error: odd, ...words } = readWords({ error }, (read) => ({ error: toResponseError(read) }))
  const kept = whole ?? (odd === undefined ? undefined : { type: 'response.failed', error })
  return { status: 200, kind: kinds[words.code ?? ''] ?? 'server', ...words, ...(kept && { error: kept }) }
}

/** The error of a response object that failed; undefined for every other. */
export const readFailure = (response: JsonValue): WireError | undefined => {
  if (!isJsonObject(response) || response.status !== 'failed') return undefined
  const servedModel = toText(response.model)
  return { ...readFailedWords(response.error ?? {}), ...(servedModel !== '' && { servedModel }) }
}

/** An `error` event among those of a stream. Its words stand in it, or in an error object within it. */
export const readStreamError = ({ sequence_number: _, ...event }: JsonObject): WireError => {
  const { type: __, ...words } = event
  return readFailedWords(isNothing(event.error) ? words : (event.error ?? null), event)
}

/** The error of a response object that failed. */
const toResponseError = ({ error, message, code, type, param }: ErrorWords): JsonValue => {
  const kept = toObject(error).error
  if (kept !== undefined) return kept
  return { code: code ?? null, message, ...(type !== undefined && { type }), ...(param !== undefined && { param }) }
}

export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  if (error.status >= 400) return writeHttpError(error, toErrorBody(error))
  const end = brokenEnd(error)
  const ended = end ? { end } : {}
  const plain = { ...context, extras: extrasOfError(error) }
  const { usage: _, ...response } = writeResponse(plain)
  const failed: JsonObject = { ...response, status: 'failed', error: toResponseError(error), usage: null }
  if (!isStreaming(context.request)) {
    return { status: 200, headers: { ...jsonHeaders }, body: end ? '' : JSON.stringify(failed), ...ended }
  }
  const { parts, afterParts = 0 } = error
  const items = parts ? writeItems(parts, plain) : []
  const before = parts ? writeEvents(items, plain, afterParts) : []
  const output = items.filter(({ to }) => to <= afterParts).map(({ item }) => item)
  return {
    status: 200,
    headers: { ...sseHeaders },
    body: end ? formatEvents(before) : writeFailedEvents(before, { ...failed, output }, toObject(error.error)),
    ...ended,
  }
}

const writeFailedEvents = (before: Event[], response: JsonObject, kept: JsonObject): string[] => {
  const type = toText(kept.type)
  if (isNothing(kept) || type === 'response.failed') {
    return formatEvents([...before, { type: 'response.failed', response }])
  }
  if (type === 'error') return formatEvents([...before, { ...kept, type }])
  return [...formatEvents(before), formatSse(kept)]
}
