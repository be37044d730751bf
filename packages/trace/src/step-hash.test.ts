import { expect, test } from 'vitest'
import { corpus } from '../test/corpus.ts'
import { createChainHasher } from './chain-hasher.ts'
import type { JsonValue } from './json/json.ts'
import { parseTrace } from './parse-cassette.ts'
import { stepHash } from './step-hash.ts'

test('all step hashes of the public cassettes recompute', () => {
  const steps = corpus.flatMap(({ text }) => parseTrace(text).steps)
  expect(steps).toHaveLength(86)
  expect(steps.map(stepHash)).toEqual(steps.map(({ hash }) => hash))
})

test('the chain hasher gives the same hashes, with and without shared messages', () => {
  for (const { text } of corpus) {
    for (const { steps } of [parseTrace(text), JSON.parse(text)]) {
      const hash = createChainHasher()
      expect(steps.map(hash)).toEqual(steps.map(({ hash }: { hash: string }) => hash))
    }
  }
})

test('the chain hasher follows histories that are cut, edited, interleaved, odd, or not ASCII', () => {
  const a = [{ role: 'user', content: 'é日本\u{1f600}\ud800' }, { role: 'assistant', content: 'b' }, 7, 'text', null]
  const payloads: unknown[] = [
    { messages: a.slice(0, 1), model: 'm' },
    { messages: a, model: 'm', Extra: 1, zebra: { b: 1, a: [] } },
    { messages: a.slice(1), systemPrompt: 'long '.repeat(9000) },
    { messages: [a[1], a[0], a[0]], tools: [] },
    { messages: [] },
    { messages: 'none' },
    null,
    { messages: a },
  ]
  const hash = createChainHasher()
  payloads.forEach((payload, index) => {
    const step = {
      index,
      type: 'model_input' as const,
      timestamp: index,
      payload: payload as JsonValue,
      prevHash: null,
    }
    expect(hash(step)).toBe(stepHash(step))
  })
})
