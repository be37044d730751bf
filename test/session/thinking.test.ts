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

for (const [what, messages] of Object.entries(equal)) {
  test(`replay still matches with ${what}`, async () => {
    await using file = await temporaryCassette()
    const provider = await startFakeProvider({
      replies: [anthropicReply({ content: [{ type: 'text', text: 'Now.' }] })],
    })
    const ask = (history: Anthropic.MessageParam[]) =>
      new Anthropic({ baseURL: provider.url, apiKey: 'k' }).messages.create({
        model: 'claude-sonnet-5-5',
        max_tokens: 100,
        messages: history,
      })
    await inTest(file.path, {}, () => ask(recorded))
    await provider.stop()
    const { value, result } = await inTest(file.path, {}, () => ask(messages))
    expect(value.content).toEqual([{ type: 'text', text: 'Now.' }])
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  })
}

test('replay fails on other text in the history', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: [anthropicReply({ content: [{ type: 'text', text: 'Now.' }] })] })
  const ask = (history: Anthropic.MessageParam[]) =>
    new Anthropic({ baseURL: provider.url, apiKey: 'k' }).messages.create({
      model: 'claude-sonnet-5-5',
      max_tokens: 100,
      messages: history,
    })
  await inTest(file.path, {}, () => ask(recorded))
  await provider.stop()
  const other = history('They ask about an order.', ['Let me look.', 'It is in time.'])
  const { result } = await inTest(file.path, {}, () => ask(other).catch(() => {}))
  expect(result.errors[0]?.message).toContain('messages[1].content')
})
