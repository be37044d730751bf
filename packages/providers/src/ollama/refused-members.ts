import type { JsonObject } from '@retake/trace'
import { isNothing } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'

/** @throws UnsupportedError for what a reply, or one line of a stream, holds beside text, thinking and calls */
export const refuseInReply = (reply: JsonObject, message: JsonObject): void => {
  if (!isNothing(reply.logprobs)) throw unsupported('logprobs in the reply', 'logprobs')
  if (!isNothing(message.images)) throw unsupported('audio or image output', 'message.images')
}
