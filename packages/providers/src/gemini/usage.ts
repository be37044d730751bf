import type { JsonObject, JsonValue } from '@retake/trace'
import { type Opaque, type Tokens, toTokens } from '../extras.ts'
import { toObject } from '../json-members.ts'
import { readOtherCounts, withOtherCounts } from '../usage-counts.ts'
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
  return { ...(tokens && { tokens }), opaque: readOtherCounts(usage, writeTokens(tokens)) }
}

/** Without a record every count is zero. */
export const writeUsage = (extras: ReplyExtras | undefined): JsonObject =>
  withOtherCounts(writeTokens(extras?.tokens), extras)

const writeTokens = (tokens: Tokens = { input: 0, output: 0 }): JsonObject => {
  const { input, output, cacheRead, reasoning } = tokens
  const answer = output === undefined ? undefined : output - (reasoning ?? 0)
  // The API leaves out what is zero.
  const hasAnswer = answer !== undefined && !(answer === 0 && reasoning !== undefined)
  return {
    ...(input !== undefined && { promptTokenCount: input }),
    ...(cacheRead !== undefined && { cachedContentTokenCount: cacheRead }),
    ...(hasAnswer && { candidatesTokenCount: answer }),
    ...(reasoning !== undefined && { thoughtsTokenCount: reasoning }),
    totalTokenCount: (input ?? 0) + (output ?? 0),
  }
}
