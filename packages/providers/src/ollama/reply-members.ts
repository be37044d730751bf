import type { JsonObject } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toObject } from '../json-members.ts'
import { othersBlob, othersOf, type ReplyMembers, refuseMembers } from '../reply-members.ts'

/** Of a reply, or of a line of a stream. Durations are kept: clients make rates of them. */
const replyMembers: ReplyMembers = {
  read: ['model', 'message', 'done', 'done_reason', 'prompt_eval_count', 'eval_count'],
  ignored: ['created_at'],
  refused: { logprobs: 'logprobs in the reply' },
}

const messageMembers: ReplyMembers = {
  read: ['role', 'content', 'thinking', 'tool_calls'],
  types: { content: ['string'], thinking: ['string'], tool_calls: ['list'] },
  ignored: [],
  refused: { images: 'audio or image output' },
}

const callMembers: ReplyMembers = { read: ['id', 'function'], ignored: [], refused: {} }
const functionMembers: ReplyMembers = { read: ['index', 'name', 'arguments'], ignored: [], refused: {} }

export const replyPlace = 'response'
export const messagePlace = 'message'
export const callPlace = 'tool_call'
export const functionPlace = 'tool_call.function'

/** @throws UnsupportedError for what a reply, or one line of a stream, holds beside text, thinking and calls */
export const refuseInReply = (reply: JsonObject, message: JsonObject): void => {
  refuseMembers(reply, replyMembers)
  refuseMembers(message, messageMembers, 'message')
}

/** What a reply says beside its parts: how long each phase took, which host served it. */
export const readReplyOthers = (reply: JsonObject, message: JsonObject): Opaque[] => [
  ...othersBlob(replyPlace, othersOf(reply, replyMembers)),
  ...othersBlob(messagePlace, othersOf(message, messageMembers)),
]

/** What a call and its function say beside name and arguments. */
export const readCallOthers = (call: JsonObject, part: number): Opaque[] => [
  ...othersBlob(callPlace, othersOf(call, callMembers), part),
  ...othersBlob(functionPlace, othersOf(toObject(call.function), functionMembers), part),
]
