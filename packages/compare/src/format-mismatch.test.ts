import type { Message, ModelInput } from '@retake/trace'
import { expect, test } from 'vitest'
import { compareRequests } from './compare-requests.ts'
import { formatMismatch } from './format-mismatch.ts'

const hello: Message = { role: 'user', content: 'hello' }
const base: ModelInput = {
  model: 'a',
  systemPrompt: 'Be kind.',
  params: { temperature: 0 },
  tools: [{ name: 'lookup', description: '' }],
  messages: [hello],
}

test.each<[Partial<ModelInput>, string]>([
  [{ systemPrompt: 'Be rude.' }, 'differs from the cassette in its system prompt'],
  [{ messages: [hello, { role: 'assistant', content: 'hi' }] }, 'has one message more than the cassette'],
  [{ messages: [] }, 'has one message less than the cassette'],
  [{ messages: [{ ...hello, content: 'hi' }] }, 'differs from the cassette in message 1 (user)'],
  [{ tools: [{ name: 'lookup', description: 'x', kind: 'custom' }] }, 'differs from the cassette in tool "lookup"'],
  [{ tools: [] }, 'differs from the cassette in tool "lookup"'],
  [{ model: 'b', params: { temperature: 1 } }, 'differs from the cassette in its model and temperature'],
  [
    { model: 'b', params: { seed: 1 }, systemPrompt: '', tools: [], messages: [] },
    'differs from the cassette in its model, its system prompt, temperature and 3 more places',
  ],
])('%j %s', (change, sentence) => {
  const received = { ...base, ...change }
  expect(formatMismatch(base, received, compareRequests(base, received))).toBe(sentence)
})

test('a message is named by what it is', () => {
  const parts = (input: string, result: string): Message[] => [
    { role: 'assistant', content: [{ type: 'tool_use', toolCallId: 'a', toolName: 'lookup', toolInput: { input } }] },
    { role: 'user', content: [{ type: 'tool_result', toolCallId: 'a', toolName: 'lookup', result }] },
  ]
  const [recorded, received] = [parts('A-77', 'it is late'), parts('A-78', 'it is early')].map((messages) => ({
    ...base,
    messages,
  })) as [ModelInput, ModelInput]
  expect(formatMismatch(recorded, received, compareRequests(recorded, received))).toBe(
    'differs from the cassette in message 1 (call of lookup) and message 2 (result of lookup)',
  )
})
