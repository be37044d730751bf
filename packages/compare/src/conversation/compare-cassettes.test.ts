import { TraceRecorder } from '@retake/trace'
import { expect, test } from 'vitest'
import { type CassettePair, compareCassettes } from './compare-cassettes.ts'

const cassette = (name: string, systemPrompt: string, answer: string, tokens?: number) => {
  const recorder = new TraceRecorder({ id: name, createdAt: 0 })
  recorder.append('model_input', { messages: [{ role: 'user', content: name }], tools: [], systemPrompt }, 1)
  recorder.append('model_output', { type: 'final_answer', text: answer }, 2)
  return {
    trace: recorder.toTrace(),
    format: 'v3' as const,
    test: { file: 'a.test.ts', name: `shop > ${name}` },
    extras: tokens === undefined ? [] : [{ step: 1, tokens: { input: tokens, output: 10 } }],
  }
}
const pair = (name: string, after: string, prompt = 'Be brief.'): CassettePair => ({
  file: `${name}.cassette.json`,
  before: cassette(name, 'Be kind.', 'yes', 100),
  after: cassette(name, prompt, after, 120),
})

test('the same prompt change in fourteen cassettes is one cause', () => {
  const pairs = Array.from({ length: 14 }, (_, nth) => pair(`test ${nth}`, 'yes'))
  const { conversations, causes, unchanged } = compareCassettes([...pairs, pair('other', 'yes', 'Be kind.')])
  expect(conversations).toHaveLength(14)
  expect(unchanged).toBe(1)
  expect(causes).toEqual([
    {
      change: { area: 'system', name: '', kind: 'changed', before: 'Be kind.', after: 'Be brief.' },
      conversations: Array.from({ length: 14 }, (_, nth) => nth),
    },
  ])
})

test('what acts differently comes first, then what was only asked otherwise, then what is gone, new and moved', () => {
  const same = cassette('moved', 'Be kind.', 'yes')
  const { conversations } = compareCassettes([
    { file: 'new', after: cassette('new', '', '') },
    { file: 'moved', from: 'old', before: same, after: same },
    { file: 'gone', before: cassette('gone', '', '') },
    pair('asked', 'yes'),
    pair('acts', 'no'),
  ])
  expect(conversations.map(({ name, kind }) => [name, kind])).toEqual([
    ['shop › acts', 'changed'],
    ['shop › asked', 'changed'],
    ['shop › gone', 'removed'],
    ['shop › new', 'added'],
    ['shop › moved', 'moved'],
  ])
  expect(conversations[0]).toMatchObject({ modelCalls: { before: 1, after: 1 }, tokens: { before: 110, after: 130 } })
  expect(conversations[2]).toMatchObject({ modelCalls: { before: 1 }, tokens: {} })
})

test('a cassette that does not name its test is called by its path', () => {
  const { test: _, ...unnamed } = cassette('a', '', '')
  const [only] = compareCassettes([
    { file: 'x/__cassettes__/a.test.ts/late-order.cassette.json', after: unnamed },
  ]).conversations
  expect(only?.name).toBe('a.test.ts › late-order')
})
