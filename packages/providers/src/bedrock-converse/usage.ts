import type { JsonObject, JsonValue } from '@retake/trace'
import { type Opaque, type Tokens, toTokens } from '../extras.ts'
import { toObject } from '../json-members.ts'
import { readOtherCounts, withOtherCounts } from '../usage-counts.ts'
import type { ReplyExtras } from '../wire.ts'

interface ReadUsage {
  tokens?: Tokens
  opaque: Opaque[]
}

/** `inputTokens` counts neither what was read from a cache nor what was written to one. */
export const readUsage = (value: JsonValue | undefined): ReadUsage => {
  const usage = toObject(value)
  const tokens = toTokens({
    input: usage.inputTokens,
    output: usage.outputTokens,
    cacheRead: usage.cacheReadInputTokens,
    cacheWrite: usage.cacheWriteInputTokens,
  })
  return { ...(tokens && { tokens }), opaque: readOtherCounts(usage, writeTokens(tokens)) }
}

/** Without a record every count is zero. */
export const writeUsage = (extras: ReplyExtras | undefined): JsonObject =>
  withOtherCounts(writeTokens(extras?.tokens), extras)

const writeTokens = (tokens: Tokens | undefined): JsonObject => {
  const { input = 0, output = 0, cacheRead, cacheWrite } = tokens ?? {}
  return {
    inputTokens: input,
    outputTokens: output,
    totalTokens: input + output + (cacheRead ?? 0) + (cacheWrite ?? 0),
    ...(cacheRead !== undefined && { cacheReadInputTokens: cacheRead }),
    ...(cacheWrite !== undefined && { cacheWriteInputTokens: cacheWrite }),
  }
}
