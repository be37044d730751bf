import { type CassettePair, compareCassettes } from '@retake/compare'
import { TraceRecorder } from '@retake/trace'
import { expect, test } from 'vitest'
import { createStyle } from '../terminal/style.ts'
import { renderChangeOverview } from './change-overview.ts'

const cassette = (name: string, systemPrompt: string, answer: string) => {
  const recorder = new TraceRecorder({ id: name, createdAt: 0 })
  recorder.append('model_input', { messages: [{ role: 'user', content: name }], tools: [], systemPrompt }, 1)
  recorder.append('model_output', { type: 'final_answer', text: answer }, 2)
  return { trace: recorder.toTrace(), format: 'v3' as const, test: { file: 'a.test.ts', name }, extras: [] }
}
const pair = (name: string, answer = 'yes'): CassettePair => ({
  file: `${name}.cassette.json`,
  before: cassette(name, 'Be kind.', 'yes'),
  after: cassette(name, 'Be brief.', answer),
})
const overview = (pairs: CassettePair[]) =>
  renderChangeOverview(
    { ...compareCassettes(pairs), base: 'main', head: 'HEAD', broken: [] },
    { style: createStyle() },
  ).split('\n')

test('fourteen conversations that one prompt reached fit on a screen, what acts differently first', () => {
  const pairs = Array.from({ length: 13 }, (_, nth) => pair(`order ${nth}`))
  const lines = overview([...pairs, pair('late', 'no')])
  expect(lines.slice(0, 7)).toEqual([
    'retake: the agent acts differently in 1 of 14 conversations  main → HEAD',
    '',
    '  ~ late  1 request',
    '      answers no',
    '      late.cassette.json',
    '  ~ 13 act as before; only what they are asked changed',
    '      order 0.cassette.json',
  ])
  expect(lines).toContain('  Cause  system prompt, 1 line  in 14 conversations')
  expect(lines.length).toBeLessThanOrEqual(25)
})

test('a few are told like the others', () => {
  expect(overview([pair('order 1'), pair('order 2')]).filter((line) => line.includes('acts as before;'))).toHaveLength(
    2,
  )
})
