import { writeOthers } from '../reply-members.ts'
import { jsonHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { replyPlace } from './reply-members.ts'
import { isStreaming } from './route.ts'
import { writeStop } from './stop.ts'
import { writeUsage } from './usage.ts'
import { writeMetadata, writePart } from './write-message.ts'
import { writeStream } from './write-stream.ts'

/** One result, as JSON or as a stream of parts. Counts are zero where `extras` has none. */
export const writeReply = (turn: Turn, context: WriteContext): WireAnswer => {
  if (isStreaming(context.request)) return writeStream(turn, context)
  const { extras } = context
  const finishReason = writeStop(turn, extras)
  const body = {
    content: turn.parts.flatMap((part, index) => writePart(part, index, extras) ?? []),
    ...(finishReason && { finishReason }),
    usage: writeUsage(extras),
    warnings: [],
    response: writeMetadata(context),
    ...writeOthers(extras, replyPlace),
  }
  return { status: 200, headers: { ...jsonHeaders }, body: JSON.stringify(body) }
}
