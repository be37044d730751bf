import type { JsonValue } from '@retake/trace'
import type { ReplyExtras } from './wire.ts'

export type Tokens = NonNullable<ReplyExtras['tokens']>

/** The counts that are numbers; undefined where there is none. */
export const toTokens = (
  counts: Readonly<Record<keyof Tokens, JsonValue | undefined>> | object,
): Tokens | undefined => {
  const numbers = Object.entries(counts).filter(([, count]) => typeof count === 'number')
  return numbers.length > 0 ? Object.fromEntries(numbers) : undefined
}
