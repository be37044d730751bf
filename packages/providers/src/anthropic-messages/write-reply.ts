import { jsonHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { writeStop } from './stop.ts'
import { writeUsage } from './usage.ts'
import { writeBlock, writeHead } from './write-message.ts'
import { writeStream } from './write-stream.ts'

/** One message, as JSON or as a stream of events. Usage is zero where `extras` has no counts. */
export const writeReply = (turn: Turn, context: WriteContext): WireAnswer => {
  if (isStreaming(context.request)) return writeStream(turn, context)
  const { extras } = context
  const body = {
    ...writeHead(context),
    content: turn.parts.flatMap((part, index) => writeBlock(part, index, extras) ?? []),
    ...writeStop(turn, extras),
    usage: writeUsage(extras),
  }
  return { status: 200, headers: { ...jsonHeaders }, body: JSON.stringify(body) }
}
