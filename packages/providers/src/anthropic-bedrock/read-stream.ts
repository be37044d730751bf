import type { JsonObject } from '@retake/trace'
import { createMessageStream } from '../anthropic-messages/read-stream.ts'
import { readFrameError } from '../aws-error.ts'
import { createFrameReader } from '../event-frames.ts'
import { otherMembers, toObject, toText } from '../json-members.ts'
import { parseStorable } from '../refuse-unstorable.ts'
import { othersBlob } from '../reply-members.ts'
import { createReader, type StreamWire } from '../stream-reader.ts'
import type { Reply, StreamReader, WireError } from '../wire.ts'

/** Reads the events of one message, each of which comes in a frame of AWS. */
export const openStream = (): StreamReader => createReader(createInvokeStream())

/** Where the members of the last event are kept that Bedrock adds: its own counts and times. */
export const stopPlace = 'message_stop'

const createInvokeStream = (): StreamWire => {
  const messages = createMessageStream()
  let metrics: JsonObject = {}

  const onFrame = (frame: JsonObject): 'terminated' | WireError | undefined => {
    if (frame.error !== undefined) return readFrameError(toObject(frame.error))
    const event = toObject(parseStorable(Buffer.from(toText(toObject(frame.chunk).bytes), 'base64').toString('utf8')))
    if (event.type === 'message_stop') metrics = otherMembers(event, ['type'])
    return messages.onEvent(event)
  }

  const toReply = (): Reply => {
    const { extras, ...reply } = messages.toReply()
    const opaque = [...(extras.opaque ?? []), ...othersBlob(stopPlace, metrics)]
    return { ...reply, extras: { ...extras, ...(opaque.length > 0 && { opaque }) } }
  }

  return { ...messages, createFrameReader, onEvent: onFrame, toReply }
}
