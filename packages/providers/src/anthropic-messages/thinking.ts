import type { JsonObject, JsonValue } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toText } from '../json-members.ts'
import type { ReplyExtras } from '../wire.ts'

const signatureKind = 'signature'
const redactedKind = 'redacted_thinking'

/** What a thinking block holds beside its text: the signature, or all of a redacted one. */
export const readThinkingBlob = (block: JsonObject, part: number): Opaque[] => {
  if (block.type === 'redacted_thinking') return [{ part, kind: redactedKind, value: block.data ?? '' }]
  const signature = block.type === 'thinking' ? toText(block.signature) : ''
  return signature === '' ? [] : [{ part, kind: signatureKind, value: signature }]
}

/** The block of a reasoning part. From a v2 file it has an empty signature, which only a live continuation would miss. */
export const writeThinking = (text: string, part: number, extras: ReplyExtras | undefined): JsonObject => {
  const find = (kind: string): JsonValue | undefined =>
    extras?.opaque?.find((blob) => blob.part === part && blob.kind === kind)?.value
  const redacted = find(redactedKind)
  if (redacted !== undefined) return { type: 'redacted_thinking', data: redacted }
  return { type: 'thinking', thinking: text, signature: find(signatureKind) ?? '' }
}
