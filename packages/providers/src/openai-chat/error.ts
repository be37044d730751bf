import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { extrasOfError } from '../extras.ts'
import { brokenEnd, writeHttpError } from '../http-error.ts'
import { isNothing, otherMembers, toObject, toObjects } from '../json-members.ts'
import { readWords, toErrorBody } from '../openai-error.ts'
import { formatSse, jsonHeaders, sseHeaders } from '../sse.ts'
import type { WireAnswer, WireError, WriteContext } from '../wire.ts'
import { replyMembers } from './reply-members.ts'
import { isStreaming } from './route.ts'
import { writeHead } from './write-message.ts'
import { writeChunk, writeParts } from './write-stream.ts'

/** An error that came with status 200 in the place of a completion, as gateways send it. */
export const readFailure = (body: JsonValue): WireError | undefined =>
  isJsonObject(body) && body.choices === undefined && !isNothing(body.error)
    ? { status: 200, kind: 'server', ...readWords(body) }
    : undefined

/** Of a chunk that holds an error, what comes anew with every chunk. */
const ofAnyChunk = ['id', 'object', 'created', 'model', ...replyMembers.ignored]

/**
 * An error object among the chunks of a stream. Its chunk may count tokens, or tell a reason to stop; one that was told
 * before is `reason`.
 */
export const readStreamError = (chunk: JsonObject, reason?: string): WireError => {
  const { choices, ...rest } = otherMembers(chunk, ofAnyChunk)
  const said = toObjects(choices).filter(({ finish_reason: word }) => !isNothing(word))
  const whole = said.length > 0 ? { ...rest, choices: said } : rest
  return { status: 200, kind: 'server', ...readWords(whole), ...(reason !== undefined && { stopDetail: reason }) }
}

export const writeError = (error: WireError, context: WriteContext): WireAnswer => {
  if (error.status >= 400) return writeHttpError(error, toErrorBody(error))
  const end = brokenEnd(error)
  const ended = end ? { end } : {}
  if (!isStreaming(context.request)) {
    return { status: 200, headers: { ...jsonHeaders }, body: end ? '' : JSON.stringify(toErrorBody(error)), ...ended }
  }
  const { parts } = error
  const { stopDetail } = error
  const plain = { ...context, extras: extrasOfError(error) }
  const events = [
    ...(parts ? writeParts(parts, plain) : []),
    ...(stopDetail === undefined ? [] : [writeChunk(plain, {}, stopDetail)]),
  ]
  return {
    status: 200,
    headers: { ...sseHeaders },
    body: end ? events : [...events, formatSse(writeErrorChunk(error, context))],
    ...ended,
  }
}

/** An ordinary error stands alone; one that came with more in a chunk of its own. */
const writeErrorChunk = (error: WireError, context: WriteContext): JsonObject => {
  const body = toObject(toErrorBody(error))
  return Object.keys(body).length > 1 ? { ...writeHead(context), object: 'chat.completion.chunk', ...body } : body
}
