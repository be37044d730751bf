import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { toText } from '../json-members.ts'
import { othersBlob, othersOf, refuseMembers } from '../reply-members.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply } from '../wire.ts'
import { type ReadOutput, readOutput } from './read-output.ts'
import { replyMembers } from './reply-members.ts'
import { readStop } from './stop.ts'
import { readUsage } from './usage.ts'

/**
 * One response object, its items in order.
 * @throws UnsupportedError naming the field
 */
export const readReply = (body: JsonValue): Reply => {
  if (body === null || body === '') throw unsupported('empty captured body', 'the reply')
  if (!isJsonObject(body) || !Array.isArray(body.output)) throw unsupported('unreadable reply', 'output')
  return finishReply(readOutput(body.output), body)
}

/** `response` tells how the reply ended, and what it cost. */
export const finishReply = (
  { parts, opaque, items }: ReadOutput,
  response: JsonObject,
  chunks: number[] = [],
): Reply => {
  refuseMembers(response, replyMembers)
  const usage = readUsage(response.usage)
  const servedModel = toText(response.model)
  const id = toText(response.id)
  const all = [...opaque, ...usage.opaque, ...othersBlob('reply', othersOf(response, replyMembers))]
  return {
    turn: { parts, ...readStop(response, parts) },
    extras: {
      ...(usage.tokens && { tokens: usage.tokens }),
      ...(servedModel !== '' && { servedModel }),
      ...(chunks.length > 0 && { chunks }),
      ...(all.length > 0 && { opaque: all }),
    },
    ...(id !== '' && { held: { id, items } }),
  }
}
