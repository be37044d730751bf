import type { JsonObject } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, otherMembers, toObject } from '../json-members.ts'
import type { ReplyExtras } from '../wire.ts'

const replyKind = 'response'
const messageKind = 'message'
const callKind = 'tool_call'

const replyMembers = ['model', 'created_at', 'message', 'done', 'done_reason', 'prompt_eval_count', 'eval_count']
const messageMembers = ['role', 'content', 'thinking', 'images', 'tool_calls']

/** What a reply says beside its parts: how long each phase took, which host served it. */
export const readReplyBlobs = (reply: JsonObject, message: JsonObject): Opaque[] => [
  ...toBlob(replyKind, otherMembers(reply, [...replyMembers, 'logprobs'])),
  ...toBlob(messageKind, otherMembers(message, messageMembers)),
]

/** What a call and its function say beside name and arguments. */
export const readCallBlob = (call: JsonObject, part: number): Opaque[] => {
  const ofFunction = otherMembers(toObject(call.function), ['index', 'name', 'arguments'])
  const others = otherMembers(call, ['id', 'function'])
  return toBlob(callKind, isNothing(ofFunction) ? others : { ...others, function: ofFunction }, part)
}

const toBlob = (kind: string, value: JsonObject, part = 0): Opaque[] =>
  isNothing(value) ? [] : [{ part, kind, value }]

const find = (extras: ReplyExtras | undefined, kind: string, part = 0): JsonObject =>
  toObject(extras?.opaque?.find((blob) => blob.kind === kind && blob.part === part)?.value)

export const writeReplyBlob = (extras: ReplyExtras | undefined): JsonObject => find(extras, replyKind)
export const writeMessageBlob = (extras: ReplyExtras | undefined): JsonObject => find(extras, messageKind)
export const writeCallBlob = (extras: ReplyExtras | undefined, part: number): JsonObject => find(extras, callKind, part)
