import { jsonHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { blockReasonOf } from './stop.ts'
import { writeUsage } from './usage.ts'
import { writeEnding, writeFeedback, writeParts, writeTail } from './write-message.ts'
import { writeStream } from './write-stream.ts'

/** One response, as JSON or as a stream of them. Usage is zero where `extras` has no counts. */
export const writeReply = (turn: Turn, context: WriteContext): WireAnswer => {
  if (isStreaming(context.request)) return writeStream(turn, context)
  const { extras } = context
  const parts = writeParts(turn.parts, extras)
  const content = { ...(parts.length > 0 && { parts }), role: 'model' }
  const body = {
    ...(blockReasonOf(turn) === undefined && { candidates: [{ content, ...writeEnding(turn, context), index: 0 }] }),
    ...writeFeedback(turn, extras),
    usageMetadata: writeUsage(extras),
    ...writeTail(context),
  }
  return { status: 200, headers: { ...jsonHeaders }, body: JSON.stringify(body) }
}
