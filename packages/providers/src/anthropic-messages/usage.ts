import type { JsonObject, JsonValue } from '@retake/trace'
import { type Opaque, type Tokens, toTokens } from '../extras.ts'
import { toObject } from '../json-members.ts'
import { readOtherCounts, withOtherCounts } from '../usage-counts.ts'
import type { ReplyExtras } from '../wire.ts'

/** `input_tokens` counts none that came from or went to the cache. */
export const readUsage = (value: JsonValue | undefined): { tokens: Tokens | undefined; opaque: Opaque[] } => {
  const usage = toObject(value)
  const tokens = toTokens({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
    reasoning: toObject(usage.output_tokens_details).thinking_tokens,
  })
  return { tokens, opaque: readOtherCounts(usage, writeTokens(tokens)) }
}

/** Without a record every count is zero. */
export const writeUsage = (extras: ReplyExtras | undefined): JsonObject =>
  withOtherCounts(writeTokens(extras?.tokens), extras)

const startKind = 'message.start_output_tokens'

/** A stream counts a few tokens in its first event already. There are clients that add them to the final count. */
export const readStartUsage = (value: JsonValue | undefined): Opaque[] => {
  const output = toObject(value).output_tokens
  return typeof output === 'number' && output > 0 ? [{ part: 0, kind: startKind, value: output }] : []
}

export const writeStartUsage = (extras: ReplyExtras | undefined): JsonObject => ({
  ...writeUsage(extras),
  output_tokens: extras?.opaque?.find(({ kind }) => kind === startKind)?.value ?? 0,
})

const writeTokens = (tokens: Tokens = { cacheRead: 0, cacheWrite: 0 }): JsonObject => ({
  input_tokens: tokens.input ?? 0,
  ...(tokens.cacheWrite !== undefined && { cache_creation_input_tokens: tokens.cacheWrite }),
  ...(tokens.cacheRead !== undefined && { cache_read_input_tokens: tokens.cacheRead }),
  output_tokens: tokens.output ?? 0,
  ...(tokens.reasoning !== undefined && { output_tokens_details: { thinking_tokens: tokens.reasoning } }),
})
