import type { JsonObject, JsonValue } from '@retake/trace'
import { type Opaque, type Tokens, toTokens } from '../extras.ts'
import { toObject } from '../json-members.ts'
import { readOtherCounts, withOtherCounts } from '../usage-counts.ts'
import type { ReplyExtras } from '../wire.ts'

/** `input_tokens` counts cached ones too. */
export const readUsage = (value: JsonValue | undefined): { tokens?: Tokens; opaque: Opaque[] } => {
  const usage = toObject(value)
  const details = toObject(usage.input_tokens_details)
  const tokens = toTokens({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: details.cached_tokens,
    cacheWrite: details.cache_write_tokens,
    reasoning: toObject(usage.output_tokens_details).reasoning_tokens,
  })
  return { ...(tokens && { tokens }), opaque: readOtherCounts(usage, writeTokens(tokens)) }
}

/** Without a record every count is zero. */
export const writeUsage = (extras: ReplyExtras | undefined): JsonObject =>
  withOtherCounts(writeTokens(extras?.tokens), extras)

const writeTokens = (tokens: Tokens | undefined): JsonObject => {
  const { input = 0, output = 0, cacheRead = 0, cacheWrite, reasoning = 0 } = tokens ?? {}
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: cacheRead,
      ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  }
}
