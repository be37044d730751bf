import { rm } from 'node:fs/promises'
import type { Cassette } from '@retake/session'
import { isRetakeError, type RetakeError } from '@retake/trace'
import OpenAI from 'openai'
import { inTest } from '../../test/session/in-test.ts'
import { chatCall, chatJson, chatStream } from '../../test/support/fake-provider/chat.ts'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'
import type { Act, Called, FailureCase } from './failure-cases.ts'

const isCall = (act: Act): act is Called => 'tool' in act

const runAgent = async (url: string, acts: readonly Act[], cassette: Cassette): Promise<void> => {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'sk-of-the-gallery-1234', maxRetries: 0 })
  for (const act of acts) {
    // What it throws is what the session says of it, too.
    try {
      if (isCall(act)) await cassette.tool(act.tool, async (_: unknown) => act.result)(act.input)
      else {
        const reply = await client.chat.completions.create({ model: 'gpt-5.5', ...act } as never)
        if (act.stream) for await (const _ of reply as unknown as AsyncIterable<unknown>);
      }
    } catch (error) {
      if (!(error instanceof OpenAI.APIError) && !isRetakeError(error)) throw error
    }
  }
}

/** What replaying a changed agent finds wrong. The provider asks for the tools that the recorded agent calls. */
export const playFailure = async ({ recorded, received }: FailureCase): Promise<readonly RetakeError[]> => {
  const calls = recorded.filter(isCall).map(({ tool, input }, nth) => chatCall(`call_${nth}`, tool, input as object))
  const reply = {
    content: 'Your refund of 20 € is on its way.',
    ...(calls.length > 0 && { content: null, tool_calls: calls }),
  }
  await using provider = await startFakeProvider({
    replies: ({ body }) => (body.stream ? chatStream(reply) : chatJson(reply)),
  })
  const path = 'test/__cassettes__/refund.test.ts/refunds-a-late-order.cassette.json'
  await rm(path, { force: true })
  const run = (acts: readonly Act[]) =>
    inTest(`${process.cwd()}/${path}`, { label: 'refunds a late order' }, (cassette) =>
      runAgent(provider.url, acts, cassette),
    )
  const first = await run(recorded)
  if (first.result.kind !== 'recorded') return first.result.errors
  return (await run(received)).result.errors
}
