import { createHash } from 'node:crypto'
import type { ModelInput } from '@retake/trace'
import { type Exchange, exchangesToRun } from '../exchanges-to-run.ts'
import type { ReadRun } from '../run-format.ts'
import type { AdapterRequest } from './adapter.ts'
import { type AdapterCassette, parseAdapterCassette } from './adapter-cassette.ts'
import type { ApplicationTraceRecord } from './application-trace.ts'
import { findLosses } from './find-losses.ts'
import { fromChunks } from './from-chunks.ts'
import { fromMessages } from './from-messages.ts'
import { parseReplayFixture } from './replay-fixture.ts'

/** True for a fixture, with its protocol; else it is the cassette of an adapter alone. */
export const isFixture = (text: string): boolean => /"protocol"\s*:\s*"agentskit\.chat\.replay"/.test(text)

/** The cassette in a text, and the decisions beside it. @throws CassetteCorruptError */
export const parseAgentskit = (
  text: string,
  path?: string,
): { cassette: AdapterCassette; traces: readonly ApplicationTraceRecord[] } =>
  isFixture(text) ? parseReplayFixture(text, path) : { cassette: parseAdapterCassette(text, path), traces: [] }

/**
 * The run in a fixture. Its id is made from the text, its times are those of the last message of each request.
 * @throws CassetteCorruptError for a text that is none
 */
export function readFixture(text: string, path?: string): ReadRun {
  const { cassette, traces } = parseAgentskit(text, path)
  const times = cassette.entries.map(({ request }) => request.messages.at(-1)?.createdAt.getTime() ?? 0)
  const exchanges = cassette.entries.map(({ request, chunks }, at): Exchange => {
    const startedAt = times[at] ?? 0
    const answer = fromChunks(chunks)
    return { input: toInput(request), startedAt, attempts: answer ? [{ ...answer, at: startedAt }] : [] }
  })
  const id = `run_${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
  return {
    ...exchangesToRun({ id, createdAt: times[0] ?? 0 }, exchanges),
    lost: findLosses(cassette, traces),
    missing: [{ where: 'cassette.entries', what: 'an adapter is not told which model it asks' }],
  }
}

function toInput({ messages, context = {} }: AdapterRequest): ModelInput {
  const { systemPrompt, temperature, maxTokens, tools = [] } = context
  return {
    messages: fromMessages(messages),
    tools: tools.map(({ name, description = '', schema }) => ({
      name,
      description,
      ...(schema !== undefined && { inputSchema: schema }),
    })),
    ...(systemPrompt !== undefined && { systemPrompt }),
    params: {
      ...(maxTokens !== undefined && { maxTokens }),
      ...(temperature !== undefined && { temperature }),
    },
  }
}
