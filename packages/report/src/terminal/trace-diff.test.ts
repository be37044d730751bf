import { stripVTControlCharacters } from 'node:util'
import { diffOutcome, diffTraces, diffTracesSemantic } from '@retake/compare'
import { loadTrace, type Trace, TraceRecorder } from '@retake/trace'
import { expect, test } from 'vitest'
import { createStyle } from './style.ts'
import { textWidth } from './text-width.ts'
import { renderTraceDiff } from './trace-diff.ts'

const corpus = (name: string): Trace =>
  loadTrace(new URL(`../../../../test/corpus/blackbox/${name}.json`, import.meta.url).pathname)

const render = (one: Trace, other: Trace, compare = diffTracesSemantic, colors = false, width = 100): string =>
  renderTraceDiff({
    first: { name: 'a.json', trace: one },
    second: { name: 'b.json', trace: other },
    diff: compare(one, other),
    outcome: diffOutcome(one, other),
    style: createStyle({ colors, legend: 'git' }),
    width,
  })

test('two runs: where they part, how they end, then every difference by step', () => {
  const text = render(corpus('fork-parent.v2'), corpus('fork-child.v2'))
  expect(text.split('\n').slice(0, 9)).toEqual([
    '--- a.json   fixture-fork-parent, 15 steps',
    '+++ b.json   fixture-fork-parent-fork, 7 steps, forked at fixture-fork-parent:4',
    '',
    '  steps    3 shared, then tool_result differs at step 3 (by content)',
    '  outcome  same final status (success), but the final answer changed',
    '    - Hotel booked for Alice on 2024-03-15 at 14:00.',
    expect.stringMatching(/^ {4}\+ No hotels available for Alice/),
    '    - tools  search → calendar → booking',
    '    + tools  search',
  ])
  expect(text).toContain('  step 3  tool_result search\n')
  expect(text).toContain('    + result.message     "No hotels available for that date."\n')
  expect(text).toContain('  - step 5  model_output  → calendar {"date":"2024-03-15"}\n')
})

test('equal runs take five lines', () => {
  const text = render(corpus('fork-parent.v2'), corpus('success-tool-use.v2'), diffTraces)
  expect(text.split('\n')).toHaveLength(5)
  expect(text).toContain('  steps    all 15 are the same (by hash)')
})

test('a run that ends early says so', () => {
  const one = corpus('fork-parent.v2')
  const text = render(one, { ...one, steps: one.steps.slice(0, 13) })
  expect(text).toContain('13 shared, then the second ends')
  expect(text).toContain('outcome flipped: parent success → child incomplete')
})

test('a change that later requests repeat is told once', () => {
  const run = (word: string): Trace => {
    const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
    for (const [nth, content] of ['b', 'c', 'd'].entries()) {
      const messages = [
        { role: 'user', content: `Tell me ${word} now.` },
        { role: 'user', content },
      ].slice(0, nth + 1)
      recorder.append('model_input', { messages, tools: [] }, 0)
    }
    return recorder.toTrace()
  }
  const text = render(run('more'), run('less'))
  expect(text.match(/Tell me more now/g)).toHaveLength(1)
  expect(text.match(/… 1 difference as in step 0/g)).toHaveLength(2)
})

test('prompts are compared line by line', () => {
  const run = (systemPrompt: string): Trace => {
    const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
    recorder.append('model_input', { messages: [], tools: [], systemPrompt }, 0)
    return recorder.toTrace()
  }
  const text = render(run('Be kind.\nBe brief.\nBe late.'), run('Be kind.\nBe brief.\nBe early.'))
  expect(text).toContain(
    ['      systemPrompt', '      Be kind.', '      Be brief.', '    - Be late.', '    + Be early.'].join('\n'),
  )
})

test('old is red and new is green, and colours change no letter', () => {
  const [one, other] = [corpus('triage-incident'), corpus('triage-hypothesis')]
  const coloured = render(one, other, diffTraces, true)
  expect(stripVTControlCharacters(coloured)).toBe(render(one, other, diffTraces))
  expect(coloured).toContain('\u001b[31m--- a.json')
  expect(coloured).toContain('\u001b[32m+++ b.json')
})

test.each([40, 80, 100])('every line fits %i columns', (width) => {
  for (const [one, other] of [
    ['triage-incident', 'triage-hypothesis'],
    ['success-final-answer.v2', 'error-unknown-tool.v2'],
  ] as const) {
    const lines = render(corpus(one), corpus(other), diffTraces, false, width).split('\n')
    expect(lines.filter((line) => textWidth(line) > width && !/^ {2}(steps|outcome) /.test(line))).toEqual([])
  }
})
