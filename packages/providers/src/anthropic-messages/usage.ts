import type { JsonObject, JsonValue } from '@retake/trace'
import { type Tokens, toTokens } from '../extras.ts'
import { toObject } from '../json-members.ts'

/** `input_tokens` counts none that came from or went to the cache. */
export const readUsage = (value: JsonValue | undefined): Tokens | undefined => {
  const usage = toObject(value)
  return toTokens({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
    reasoning: toObject(usage.output_tokens_details).thinking_tokens,
  })
}

/** Without a record every count is zero. */
export const writeUsage = (tokens: Tokens = { cacheRead: 0, cacheWrite: 0 }): JsonObject => ({
  input_tokens: tokens.input ?? 0,
  ...(tokens.cacheWrite !== undefined && { cache_creation_input_tokens: tokens.cacheWrite }),
  ...(tokens.cacheRead !== undefined && { cache_read_input_tokens: tokens.cacheRead }),
  output_tokens: tokens.output ?? 0,
  ...(tokens.reasoning !== undefined && { output_tokens_details: { thinking_tokens: tokens.reasoning } }),
})
