import Anthropic from '@anthropic-ai/sdk'
import { expect, test } from 'vitest'
import { anthropicReply } from '../support/fake-provider/anthropic.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'

const history = (thinking: string | undefined, texts: string[]): Anthropic.MessageParam[] => [
  { role: 'user', content: 'Where is A-77?' },
  {
    role: 'assistant',
    content: [
      ...(thinking === undefined ? [] : [{ type: 'thinking' as const, thinking, signature: 'c2ln' }]),
      ...texts.map((text) => ({ type: 'text' as const, text })),
    ],
  },
  { role: 'user', content: 'And now?' },
]

const recorded = history('They ask about an order.', ['Let me look.', 'It is late.'])
const equal: Record<string, Anthropic.MessageParam[]> = {
  'other thinking in the history': history('Something else went through its mind.', ['Let me look.', 'It is late.']),
  'no thinking in the history': history(undefined, ['Let me look.', 'It is late.']),
  'the text in one block instead of two': history('They ask about an order.', ['Let me look.\n\nIt is late.']),
}

/** Asks once with the history that is recorded, then replays another with the provider gone. */
async function replayWith(other: Anthropic.MessageParam[]) {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: [anthropicReply({ content: [{ type: 'text', text: 'Now.' }] })] })
  const ask = (messages: Anthropic.MessageParam[]) =>
    new Anthropic({ baseURL: provider.url, apiKey: 'k' }).messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 100,
      messages,
    })
  await inTest(file.path, {}, () => ask(recorded))
  await provider.stop()
  return inTest(file.path, {}, () => ask(other).catch(() => undefined))
}

for (const [what, messages] of Object.entries(equal)) {
  test(`replay still matches with ${what}`, async () => {
    const { value, result } = await replayWith(messages)
    expect(value?.content).toEqual([{ type: 'text', text: 'Now.' }])
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  })
}

test('replay fails on other text in the history', async () => {
  const { result } = await replayWith(history('They ask about an order.', ['Let me look.', 'It is in time.']))
  expect(result.errors[0]?.message).toContain('messages[1].content')
})
