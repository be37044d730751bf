import type { JsonValue } from '@retake/trace'
import type { Opaque, Tokens } from './extras.ts'
import type { ReplyExtras } from './wire.ts'

const totalKind = 'message.total_tokens'

/** Vendors that count thinking apart from the answer give a sum that is more than its parts. */
export const readTotal = (total: JsonValue | undefined, tokens: Tokens | undefined): Opaque[] => {
  const isSum = typeof total !== 'number' || total === (tokens?.input ?? 0) + (tokens?.output ?? 0)
  return isSum ? [] : [{ part: 0, kind: totalKind, value: total }]
}

export const writeTotal = (extras: ReplyExtras | undefined): JsonValue => {
  const { input = 0, output = 0 } = extras?.tokens ?? {}
  return extras?.opaque?.find(({ kind }) => kind === totalKind)?.value ?? input + output
}
