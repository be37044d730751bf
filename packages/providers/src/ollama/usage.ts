import type { JsonObject } from '@retake/trace'
import { type Tokens, toTokens } from '../extras.ts'
import type { ReplyExtras } from '../wire.ts'

/** Counts stand among the members of the reply. The server leaves out what is zero, as where a prompt was cached. */
export const readUsage = (reply: JsonObject): Tokens | undefined =>
  toTokens({ input: reply.prompt_eval_count, output: reply.eval_count })

/** Without a record every count is zero. */
export const writeUsage = (extras: ReplyExtras | undefined): JsonObject => {
  const { input, output } = extras?.tokens ?? { input: 0, output: 0 }
  return {
    ...(input !== undefined && { prompt_eval_count: input }),
    ...(output !== undefined && { eval_count: output }),
  }
}
