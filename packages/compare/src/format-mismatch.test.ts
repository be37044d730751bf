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
  [{ messages: [{ ...hello, content: 'hi' }] }, 'differs from the cassette in message 1'],
  [{ tools: [{ name: 'lookup', description: 'x', kind: 'custom' }] }, 'differs from the cassette in tool "lookup"'],
  [{ tools: [] }, 'differs from the cassette in tool "lookup"'],
  [{ model: 'b', params: { temperature: 1 } }, 'differs from the cassette in its model and params.temperature'],
  [
    { model: 'b', params: { seed: 1 }, systemPrompt: '', tools: [], messages: [] },
    'differs from the cassette in its model, its system prompt, params.temperature and 3 more places',
  ],
])('%j %s', (change, sentence) => {
  const received = { ...base, ...change }
  expect(formatMismatch(base, received, compareRequests(base, received))).toBe(sentence)
})
