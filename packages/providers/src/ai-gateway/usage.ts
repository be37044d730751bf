import type { JsonObject, JsonValue } from '@retake/trace'
import { type Opaque, type Tokens, toTokens } from '../extras.ts'
import { toObject } from '../json-members.ts'
import { readOtherCounts, withOtherCounts } from '../usage-counts.ts'
import type { ReplyExtras } from '../wire.ts'

interface ReadUsage {
  tokens?: Tokens
  opaque: Opaque[]
}

export const readUsage = (value: JsonValue | undefined): ReadUsage => {
  const usage = toObject(value)
  const [input, output] = [toObject(usage.inputTokens), toObject(usage.outputTokens)]
  const tokens = toTokens({
    input: input.total,
    output: output.total,
    cacheRead: input.cacheRead,
    cacheWrite: input.cacheWrite,
    reasoning: output.reasoning,
  })
  return { ...(tokens && { tokens }), opaque: readOtherCounts(usage, writeTokens(tokens)) }
}

/** Without a record every count is zero. */
export const writeUsage = (extras: ReplyExtras | undefined): JsonObject =>
  withOtherCounts(writeTokens(extras?.tokens), extras)

const writeTokens = (tokens: Tokens | undefined): JsonObject => {
  const { input = 0, output = 0, cacheRead, cacheWrite, reasoning } = tokens ?? {}
  return {
    inputTokens: {
      total: input,
      ...(cacheRead !== undefined && { cacheRead }),
      ...(cacheWrite !== undefined && { cacheWrite }),
    },
    outputTokens: { total: output, ...(reasoning !== undefined && { reasoning }) },
  }
}
