import type { JsonObject, JsonValue } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, otherMembers, toObject, toText } from '../json-members.ts'
import type { ReplyExtras } from '../wire.ts'
import { usageMembers } from './usage.ts'

const signatureKind = 'signature'
const redactedKind = 'redactedContent'
const replyKind = 'response'
const usageKind = 'usage'

/** What thinking holds beside its text: its signature, or all of it where it is redacted. */
export const readReasoningBlob = (signature: string, redacted: string, part: number): Opaque[] => [
  ...(signature === '' ? [] : [{ part, kind: signatureKind, value: signature }]),
  ...(redacted === '' ? [] : [{ part, kind: redactedKind, value: redacted }]),
]

/** What a reply says beside its message: how long it took, what guardrails found, fields of the model's own. */
export const readReplyBlobs = (reply: JsonObject): Opaque[] => [
  ...toBlob(replyKind, otherMembers(reply, ['output', 'stopReason', 'usage', 'p'])),
  ...toBlob(usageKind, otherMembers(toObject(reply.usage), usageMembers)),
]

const toBlob = (kind: string, value: JsonObject): Opaque[] => {
  const filled = Object.fromEntries(Object.entries(value).filter(([, member]) => !isNothing(member)))
  return isNothing(filled) ? [] : [{ part: 0, kind, value: filled }]
}

const find = (extras: ReplyExtras | undefined, kind: string, part = 0): JsonValue | undefined =>
  extras?.opaque?.find((blob) => blob.part === part && blob.kind === kind)?.value

/** The content of a thinking block. */
export const writeReasoning = (text: string, part: number, extras: ReplyExtras | undefined): JsonObject => {
  const redactedContent = find(extras, redactedKind, part)
  if (redactedContent !== undefined) return { redactedContent }
  const signature = toText(find(extras, signatureKind, part))
  return { reasoningText: { text, ...(signature !== '' && { signature }) } }
}

export const writeReplyBlob = (extras: ReplyExtras | undefined): JsonObject => ({
  metrics: { latencyMs: 0 },
  ...toObject(find(extras, replyKind)),
})
export const writeUsageBlob = (extras: ReplyExtras | undefined): JsonObject => toObject(find(extras, usageKind))
