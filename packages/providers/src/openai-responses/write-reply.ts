import type { JsonObject } from '@retake/trace'
import { toText } from '../json-members.ts'
import { writeOthers } from '../reply-members.ts'
import { jsonHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { withRefusal } from '../with-refusal.ts'
import { isStreaming } from './route.ts'
import { writeStop } from './stop.ts'
import { writeUsage } from './usage.ts'
import { writeItems } from './write-items.ts'
import { writeResponse } from './write-response.ts'
import { writeStream } from './write-stream.ts'

/** One response, as JSON or as a stream of events. Usage is zero where `extras` has no counts. */
export const writeReply = (given: Turn, context: WriteContext): WireAnswer => {
  const turn = withRefusal(given)
  const { status: _, ...response } = writeResponse(context)
  const stop = writeStop(turn)
  const items = writeItems(turn.parts, context)
  const last = items.at(-1)?.item
  if (stop.status === 'incomplete' && last && 'status' in last) last.status = 'incomplete'
  const final: JsonObject = {
    ...response,
    ...stop,
    output: items.map(({ item }) => item),
    usage: writeUsage(context.extras),
    ...writeOthers(context.extras, 'reply'),
  }
  const held = { id: toText(final.id), items: items.map(({ item }) => item) }
  if (isStreaming(context.request)) return { ...writeStream(turn.parts, items, final, context), held }
  return { status: 200, headers: { ...jsonHeaders }, body: JSON.stringify(final), held }
}
