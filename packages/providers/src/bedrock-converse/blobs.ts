import type { JsonObject, JsonValue } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toText } from '../json-members.ts'
import type { ReplyExtras } from '../wire.ts'

const signatureKind = 'signature'
const redactedKind = 'redactedContent'

/** What thinking holds beside its text: its signature, or all of it where it is redacted. */
export const readReasoningBlob = (signature: string, redacted: string, part: number): Opaque[] => [
  ...(signature === '' ? [] : [{ part, kind: signatureKind, value: signature }]),
  ...(redacted === '' ? [] : [{ part, kind: redactedKind, value: redacted }]),
]

const find = (extras: ReplyExtras | undefined, kind: string, part: number): JsonValue | undefined =>
  extras?.opaque?.find((blob) => blob.part === part && blob.kind === kind)?.value

/** The content of a thinking block. */
export const writeReasoning = (text: string, part: number, extras: ReplyExtras | undefined): JsonObject => {
  const redactedContent = find(extras, redactedKind, part)
  if (redactedContent !== undefined) return { redactedContent }
  const signature = toText(find(extras, signatureKind, part))
  return { reasoningText: { text, ...(signature !== '' && { signature }) } }
}
