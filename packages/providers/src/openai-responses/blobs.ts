import type { JsonObject, JsonValue } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toObject } from '../json-members.ts'
import type { ReplyExtras } from '../wire.ts'

/**
 * What an item holds beside the texts and the call that parts tell. It stands at the first part of the item, under one of
 * these kinds: how the parts of thinking or of a message are divided, its phase, the encrypted thinking with the id that
 * a live continuation sends it back under, the namespace of a function.
 */
export type ItemKind = 'reasoning_item' | 'message_item' | 'call_item'

const fill = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !isNothing(value)))

export const readReasoningBlob = (item: JsonObject, part: number, summary: number, content?: number): Opaque[] => {
  const { encrypted_content: encrypted = null, id = null } = item
  const isPlain = summary === 1 && content === undefined && isNothing(encrypted)
  if (isPlain) return []
  const kept = isNothing(encrypted) ? {} : { id, encrypted_content: encrypted }
  const value: JsonObject = { summary, ...(content !== undefined && { content }), ...kept }
  return [{ part, kind: 'reasoning_item', value }]
}

export const readMessageBlob = ({ phase = null }: JsonObject, part: number, parts: number): Opaque[] => {
  const value = fill({ ...(parts !== 1 && { parts }), phase })
  return isNothing(value) ? [] : [{ part, kind: 'message_item', value }]
}

export const readCallBlob = ({ namespace = null, async: isAsync = null }: JsonObject, part: number): Opaque[] => {
  const value = fill({ namespace, async: isAsync })
  return isNothing(value) ? [] : [{ part, kind: 'call_item', value }]
}

/** Empty where nothing is recorded of the item that begins with this part. */
export const findBlob = (extras: ReplyExtras | undefined, part: number, kind: ItemKind): JsonObject =>
  toObject(extras?.opaque?.find((blob) => blob.part === part && blob.kind === kind)?.value)

export const toCount = (value: JsonValue | undefined): number | undefined =>
  typeof value === 'number' ? value : undefined
