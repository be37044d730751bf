import type { JsonObject, JsonValue } from '@retake/trace'
import { toObject } from '../json-members.ts'
import { type Tokens, toTokens } from '../tokens.ts'

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

export const writeUsage = ({
  input = 0,
  output = 0,
  cacheRead = 0,
  cacheWrite = 0,
  reasoning,
}: Tokens = {}): JsonObject => ({
  input_tokens: input,
  cache_creation_input_tokens: cacheWrite,
  cache_read_input_tokens: cacheRead,
  output_tokens: output,
  ...(reasoning !== undefined && { output_tokens_details: { thinking_tokens: reasoning } }),
})
