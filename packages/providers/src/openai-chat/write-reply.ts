import { writeOthers } from '../reply-members.ts'
import { jsonHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { withRefusal } from '../with-refusal.ts'
import { isStreaming } from './route.ts'
import { writeStop } from './stop.ts'
import { writeUsage } from './usage.ts'
import { writeHead, writeMessage } from './write-message.ts'
import { writeGroq, writeStream } from './write-stream.ts'

/** One chat completion, as JSON or as a stream of chunks. Usage is zero where `extras` has no counts. */
export const writeReply = (given: Turn, context: WriteContext): WireAnswer => {
  const turn = withRefusal(given)
  if (isStreaming(context.request)) return writeStream(turn, context)
  const { extras } = context
  // What a stream repeated beside its deltas is the message itself here.
  const { message: _, ...ofChoice } = writeOthers(extras, 'choice')
  const body = {
    ...writeHead(context),
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: writeMessage(turn, extras, context.request.url),
        logprobs: null,
        finish_reason: writeStop(turn),
        ...ofChoice,
      },
    ],
    usage: writeUsage(extras),
    ...writeGroq(context),
    ...writeOthers(extras, 'reply'),
  }
  return { status: 200, headers: { ...jsonHeaders }, body: JSON.stringify(body) }
}
