import type { JsonObject, ReplyPart } from '@retake/trace'
import { type Cut, createCut } from '../chunks.ts'
import { formatSse, jsonHeaders, sseHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WireRequest, WriteContext } from '../wire.ts'
import { writeEmptyText } from './blobs.ts'
import { streamsJson } from './route.ts'
import { blockReasonOf } from './stop.ts'
import { writeUsage } from './usage.ts'
import { writeEnding, writeFeedback, writePart, writeTail } from './write-message.ts'

/**
 * The responses of a stream, one piece of a part each. The last has the reason and the counts beside its part: clients
 * take a turn for broken that ends in a response without parts.
 */
export const writeStream = (turn: Turn, context: WriteContext): WireAnswer => {
  const { extras, request } = context
  const end = { ...writeFeedback(turn, extras), usageMetadata: writeUsage(extras) }
  const isBlocked = blockReasonOf(turn) !== undefined
  const pieces = isBlocked ? [] : writePieces(turn.parts, context)
  const last = pieces.at(-1)
  const responses = [
    ...pieces.slice(0, -1).map((piece) => toResponse(piece, context)),
    isBlocked
      ? { ...end, ...writeTail(context) }
      : { ...toResponse(last, context, writeEnding(turn, context)), ...end },
  ]
  return formatStream(responses, request)
}

/** Server-sent events, or a JSON array in pieces; without `isWhole` the array stays open. */
export const formatStream = (responses: JsonObject[], request: WireRequest, isWhole = true): WireAnswer => {
  if (!streamsJson(request)) {
    return { status: 200, headers: { ...sseHeaders }, body: responses.map((response) => formatSse(response)) }
  }
  const items = responses.map((response, nth) => `${nth === 0 ? '[' : ',\r\n'}${JSON.stringify(response)}`)
  return { status: 200, headers: { ...jsonHeaders }, body: isWhole ? [...items, ']'] : items }
}

const toResponse = (part: JsonObject | undefined, context: WriteContext, ending: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { ...(part && { parts: [part] }), role: 'model' }, ...ending, index: 0 }],
  ...writeTail(context),
})

/** The responses with the parts of a reply, without its end. */
export const writeResponses = (parts: readonly ReplyPart[], context: WriteContext): JsonObject[] =>
  writePieces(parts, context).map((piece) => toResponse(piece, context))

const writePieces = (parts: readonly ReplyPart[], { extras }: WriteContext): JsonObject[] => {
  const cut = createCut(extras?.chunks)
  return [
    ...parts.flatMap((part, index) => [
      ...writeEmptyText(extras, index),
      ...cutPart(part, writePart(part, index, extras), cut),
    ]),
    ...writeEmptyText(extras, parts.length),
  ]
}

/** The pieces of a text; its signature comes with the last. */
const cutPart = (part: ReplyPart, written: JsonObject | undefined, cut: Cut): JsonObject[] => {
  if (!written) return []
  if (part.type !== 'text' && part.type !== 'reasoning') return [written]
  const { thoughtSignature, ...rest } = written
  const pieces = cut(part.text)
  return pieces.map((text, nth) => ({
    ...rest,
    text,
    ...(thoughtSignature !== undefined && nth === pieces.length - 1 && { thoughtSignature }),
  }))
}
