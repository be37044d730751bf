import type { JsonObject, JsonValue } from '@retake/trace'
import { type Opaque, type Tokens, toTokens } from '../extras.ts'
import { toObject } from '../json-members.ts'
import { readOtherCounts, withOtherCounts } from '../usage-counts.ts'
import type { ReplyExtras } from '../wire.ts'

export interface ReadUsage {
  tokens?: Tokens
  opaque: Opaque[]
}

/** `prompt_tokens` counts cached ones too. Vendors tell those in members of their own. */
export const readUsage = (value: JsonValue | undefined): ReadUsage => {
  const usage = toObject(value)
  const details = toObject(usage.prompt_tokens_details)
  const tokens = toTokens({
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    cacheRead: details.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens,
    cacheWrite: details.cache_write_tokens,
    reasoning: toObject(usage.completion_tokens_details).reasoning_tokens,
  })
  return { ...(tokens && { tokens }), opaque: readOtherCounts(usage, writeTokens(tokens)) }
}

/** Without a record every count is zero. */
export const writeUsage = (extras: ReplyExtras | undefined): JsonObject =>
  withOtherCounts(writeTokens(extras?.tokens), extras)

const writeTokens = (tokens: Tokens | undefined): JsonObject => {
  const { input = 0, output = 0, cacheRead, cacheWrite, reasoning } = tokens ?? {}
  const isCached = cacheRead !== undefined || cacheWrite !== undefined
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(isCached && {
      prompt_tokens_details: {
        ...(cacheRead !== undefined && { cached_tokens: cacheRead }),
        ...(cacheWrite !== undefined && { cache_write_tokens: cacheWrite }),
      },
    }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  }
}
