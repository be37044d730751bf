import type { JsonObject, JsonValue } from '@retake/trace'
import { type Tokens, toTokens } from '../extras.ts'
import { toObject } from '../json-members.ts'

/** `prompt_tokens` counts cached ones too. DeepSeek tells those in a member of its own. */
export const readUsage = (value: JsonValue | undefined): Tokens | undefined => {
  const usage = toObject(value)
  return toTokens({
    input: usage.prompt_tokens,
    output: usage.completion_tokens,
    cacheRead: toObject(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens,
    reasoning: toObject(usage.completion_tokens_details).reasoning_tokens,
  })
}

export const writeUsage = ({ input = 0, output = 0, cacheRead, reasoning }: Tokens = {}): JsonObject => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  ...(cacheRead !== undefined && { prompt_tokens_details: { cached_tokens: cacheRead } }),
  ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
})
