import { type JsonValue, UnsupportedError } from '@retake/trace'
import { refuseUnstorable } from './refuse-unstorable.ts'
import type { Reply, Wire, WireError, WireRequest } from './wire.ts'

/** How an attempt ended that came to its end. */
export type ReadAnswer = { reply: Reply } | { error: WireError }

/** A provider may answer a streaming request with plain JSON, unless that is what its streams are. */
export function answersInStream(wire: Wire, request: WireRequest, contentType = ''): boolean {
  return wire.isStreaming(request) && (!/\bjson\b/.test(contentType) || wire.streamsJson?.(request) === true)
}

/**
 * The answer in a whole body that is no stream, of a status below 400.
 * @throws UnsupportedError for what a replay could not give back
 */
export function readAnswer(wire: Wire, text: string): ReadAnswer {
  const body = parseReply(text)
  refuseUnstorable(body, 'the reply')
  const failure = wire.readFailure?.(body)
  return failure ? { error: failure } : { reply: wire.readReply(body) }
}

function parseReply(text: string): JsonValue {
  if (text.trim() === '') throw new UnsupportedError('the reply is empty', { name: 'empty captured body' })
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    throw new UnsupportedError('the reply is no JSON', { name: 'unreadable reply' })
  }
}
