import type { JsonObject, ReplyPart } from '@retake/trace'
import { type Cut, createCut } from '../chunks.ts'
import { writeOthers } from '../reply-members.ts'
import { formatSse, sseHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { partPlace, replyPlace } from './reply-members.ts'
import { writeStop } from './stop.ts'
import { writeUsage } from './usage.ts'
import { writeMetadata, writePart } from './write-message.ts'

/** The parts of a stream: warnings, what is known of the reply, its parts, the reason with the counts. */
export const writeStream = (turn: Turn, context: WriteContext): WireAnswer => {
  const { extras } = context
  const finishReason = writeStop(turn, extras)
  const { warnings: _, ...others } = writeOthers(extras, replyPlace)
  const finish = { type: 'finish', ...(finishReason && { finishReason }), usage: writeUsage(extras), ...others }
  return {
    status: 200,
    headers: { ...sseHeaders },
    body: [...writeParts(turn.parts, context), formatSse(finish)],
  }
}

/** The start and the parts of a reply, without its end. Of the parts `complete` ones are closed, all by default. */
export const writeParts = (
  parts: readonly ReplyPart[],
  context: WriteContext,
  complete: number = parts.length,
): string[] => {
  const { extras } = context
  const { warnings = [] } = writeOthers(extras, replyPlace)
  const cut = createCut(extras?.chunks)
  const events = parts.flatMap((part, index) => {
    const written = writePart(part, index, extras)
    return written
      ? writeEvents(part, written, index, cut, writeOthers(extras, partPlace, index), index < complete)
      : []
  })
  return [{ type: 'stream-start', warnings }, { type: 'response-metadata', ...writeMetadata(context) }, ...events].map(
    (event) => formatSse(event),
  )
}

const writeEvents = (
  part: ReplyPart,
  written: JsonObject,
  index: number,
  cut: Cut,
  others: JsonObject,
  isClosed: boolean,
): JsonObject[] => {
  if (part.type === 'tool_use') {
    const { toolCallId: id, toolName } = part
    const deltas = written.input === '' ? [] : cut(String(written.input))
    return [
      { type: 'tool-input-start', id, toolName },
      ...deltas.map((delta) => ({ type: 'tool-input-delta', id, delta })),
      ...(isClosed ? [{ type: 'tool-input-end', id }, written] : []),
    ]
  }
  const kind = part.type === 'reasoning' ? 'reasoning' : 'text'
  const id = String(index)
  const deltas = written.text === '' ? [] : cut(String(written.text))
  return [
    { type: `${kind}-start`, id },
    ...deltas.map((delta) => ({ type: `${kind}-delta`, id, delta })),
    ...(isClosed ? [{ type: `${kind}-end`, id, ...others }] : []),
  ]
}
