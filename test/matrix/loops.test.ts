import { describe, expect, test } from 'vitest'
import { outcomeOf, recordAndReplay } from '../session/record-and-replay.ts'
import { answers, asks, loops } from './all-loops.ts'
import { aiSdkParsers } from './loops/ai-sdk.ts'
import { anthropicParsers } from './loops/anthropic.ts'
import { langchainParsers } from './loops/langchain.ts'
import type { Loop } from './loops/loop.ts'
import { openaiParsers } from './loops/openai.ts'
import { says } from './replies.ts'
import { toComparable } from './to-comparable.ts'

const parsers: Record<string, Loop> = { ...openaiParsers, ...anthropicParsers, ...aiSdkParsers, ...langchainParsers }

describe('a loop of two turns finishes in a replay as it did live', () => {
  test.each(Object.entries(loops))('%s', async (_, loop) => {
    const { recorded, replayed, requests } = await recordAndReplay([says(asks), says(answers, 1)], (url) =>
      outcomeOf(loop(url)),
    )
    expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: 2, errors: [] })
    expect(replayed.result).toMatchObject({ kind: 'replayed', liveCalls: 0, replayedCalls: 2, unused: 0, errors: [] })
    expect(requests).toBe(2)
    expect(JSON.stringify(recorded.value)).toContain(answers.text)
    expect(JSON.stringify(recorded.value)).not.toContain('"error":{"class"')
    expect(toComparable(replayed.value)).toEqual(toComparable(recorded.value))
  })
})

describe('a structured answer is parsed in a replay as it was live', () => {
  test.each(Object.entries(parsers))('%s', async (_, parse) => {
    const script = [says({ text: '{"answer":42}', stop: 'end' })]
    const { recorded, replayed } = await recordAndReplay(script, (url) => outcomeOf(parse(url)))
    expect(recorded).toMatchObject({ result: { kind: 'recorded', errors: [] }, value: { value: { answer: 42 } } })
    expect(replayed).toMatchObject({ result: { kind: 'replayed', errors: [] }, value: recorded.value })
  })
})

test('there are as many as users write', () => {
  expect([Object.keys(loops).length, Object.keys(parsers).length]).toEqual([20, 7])
})
