import type { JsonValue } from '@retake/trace'
import type { ReplyExtras, WireError } from './wire.ts'

export type Tokens = NonNullable<ReplyExtras['tokens']>

/** What a reply carries that is no part: data for a live continuation, or where a vendor put something. */
export type Opaque = NonNullable<ReplyExtras['opaque']>[number]

/** The values that are counts; undefined where there is none. A vendor's -1 or half token is no count. */
export const toTokens = (
  counts: Readonly<Partial<Record<keyof Tokens, JsonValue | undefined>>>,
): Tokens | undefined => {
  const numbers = Object.entries(counts).filter(([, count]) => Number.isSafeInteger(count) && Number(count) >= 0)
  return numbers.length > 0 ? Object.fromEntries(numbers) : undefined
}

/** What a reply that failed told before it did. */
export const extrasOfError = ({ chunks = [], servedModel }: WireError): ReplyExtras => ({
  chunks,
  ...(servedModel !== undefined && { servedModel }),
})
