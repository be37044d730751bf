import { jsonHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { writeEnding, writeHead, writeMessage } from './write-message.ts'
import { writeStream } from './write-stream.ts'

/** One reply, as JSON or as a stream of lines. Counts are zero where `extras` has none. */
export const writeReply = (turn: Turn, context: WriteContext): WireAnswer => {
  if (isStreaming(context.request)) return writeStream(turn, context)
  const { extras } = context
  const body = { ...writeHead(context), message: writeMessage(turn, extras), ...writeEnding(turn, extras) }
  return { status: 200, headers: { ...jsonHeaders }, body: JSON.stringify(body) }
}
