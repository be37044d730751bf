import type { JsonObject, JsonValue } from '@retake/trace'
import { type Opaque, type Tokens, toTokens } from '../extras.ts'
import { toObject } from '../json-members.ts'
import { readTotal, writeTotal } from '../total-tokens.ts'
import type { ReplyExtras } from '../wire.ts'

export interface ReadUsage {
  tokens?: Tokens
  opaque: Opaque[]
}

/** The API counts thoughts beside the answer; in a cassette the output counts both, as other providers do. */
export const readUsage = (value: JsonValue | undefined): ReadUsage => {
  const usage = toObject(value)
  const { candidatesTokenCount: answer, thoughtsTokenCount: thoughts } = usage
  const counted = [answer, thoughts].filter((count) => typeof count === 'number')
  const tokens = toTokens({
    input: usage.promptTokenCount,
    output: counted.length > 0 ? counted.reduce((sum, count) => sum + count, 0) : undefined,
    cacheRead: usage.cachedContentTokenCount,
    reasoning: thoughts,
  })
  return { ...(tokens && { tokens }), opaque: readTotal(usage.totalTokenCount, tokens) }
}

/** Without a record every count is zero. */
export const writeUsage = (extras: ReplyExtras | undefined): JsonObject => {
  const { input, output, cacheRead, reasoning } = extras?.tokens ?? { input: 0, output: 0 }
  const answer = output === undefined ? undefined : output - (reasoning ?? 0)
  // The API leaves out what is zero.
  const hasAnswer = answer !== undefined && !(answer === 0 && reasoning !== undefined)
  return {
    ...(input !== undefined && { promptTokenCount: input }),
    ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
    ...(hasAnswer && { candidatesTokenCount: answer }),
    ...(reasoning !== undefined && { thoughtsTokenCount: reasoning }),
    totalTokenCount: writeTotal(extras),
  }
}
