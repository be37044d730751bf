import { jsonHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { isStreaming } from './route.ts'
import { writeBlock, writeEnding } from './write-message.ts'
import { writeStream } from './write-stream.ts'

/** One reply, as JSON or as a stream of frames. Counts are zero where `extras` has none. */
export const writeReply = (turn: Turn, context: WriteContext): WireAnswer => {
  if (isStreaming(context.request)) return writeStream(turn, context)
  const { extras } = context
  const content = turn.parts.flatMap((part, index) => writeBlock(part, index, extras) ?? [])
  const { stop, metadata } = writeEnding(turn, extras)
  const body = { output: { message: { role: 'assistant', content } }, ...stop, ...metadata }
  return { status: 200, headers: { ...jsonHeaders }, body: JSON.stringify(body) }
}
