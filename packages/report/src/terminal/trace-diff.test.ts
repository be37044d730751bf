import { stripVTControlCharacters } from 'node:util'
import { diffOutcome, diffTraces, diffTracesSemantic } from '@retake/compare'
import { type JsonObject, loadTrace, type Message, type ModelInput, type Trace, TraceRecorder } from '@retake/trace'
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
  expect(text.split('\n').slice(0, 10)).toEqual([
    '--- a.json   fixture-fork-parent, 15 steps',
    '+++ b.json   fixture-fork-parent-fork, 7 steps, forked at fixture-fork-parent:4',
    '',
    '  steps    3 shared, then tool_result differs at step 3 (by content)',
    '  outcome  same final status (success), but the final answer changed',
    '    - Hotel booked for Alice on 2024-03-15 at 14:00.',
    '    + No hotels available for Alice this weekend. The area is fully booked — consider a different',
    '    + date.',
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
  expect(text).toContain('\n  2 steps from 1 to 2 differ only as told above')
})

test('prompts are compared line by line', () => {
  const run = (systemPrompt: string): Trace => {
    const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
    recorder.append('model_input', { messages: [], tools: [], systemPrompt }, 0)
    return recorder.toTrace()
  }
  const text = render(run('Be kind.\nBe brief.\nBe late.'), run('Be kind.\nBe brief.\nBe early.'))
  expect(text).toContain(
    ['    system', '      Be kind.', '      Be brief.', '    - Be late.', '    + Be early.'].join('\n'),
  )
})

const asked = (...requests: Partial<ModelInput>[]): Trace => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  for (const request of requests) recorder.append('model_input', { messages: [], tools: [], ...request }, 0)
  return recorder.toTrace()
}

const lookup = (orderId: JsonObject, description = 'Looks an order up.') => ({
  tools: [
    { name: 'lookup', description, inputSchema: { type: 'object', properties: { orderId }, required: ['orderId'] } },
    { name: 'refund', description: '', inputSchema: { type: 'object', properties: {} } },
  ],
})

test('a changed schema is an outline of typed properties, told once', () => {
  const one = lookup({ type: 'string' })
  const other = lookup({ type: 'string', pattern: '^A-[0-9]+$' })
  const text = render(asked(one, one, one), asked(other, other, { ...other, tools: other.tools.slice(0, 1) }))
  expect(text).toContain(
    [
      '  step 0  model_input',
      '    tools › lookup › input › properties',
      '    - orderId  string',
      '    + orderId  string, pattern ^A-[0-9]+$',
      '',
      '  step 1 differs only as told above',
      '',
      '  step 2  model_input',
      '    tools',
      '    - refund()',
      '    … 1 difference as in step 0',
    ].join('\n'),
  )
})

test('a tool that has another name now is shown by path', () => {
  const named = (name: string) => ({ tools: [{ name, description: 'Looks an order up.' }] })
  const text = render(asked(named('lookup')), asked(named('look_up')))
  expect(text).toContain('    tools\n    - [0].name  "lookup"\n    + [0].name  "look_up"')
})

test('a message in the middle of forty is one line, with its neighbours', () => {
  const messages = Array.from(
    { length: 40 },
    (_, nth): Message => ({
      role: nth % 2 === 0 ? 'user' : 'assistant',
      content: `message ${nth + 1}`,
    }),
  )
  const more = messages.toSpliced(20, 0, { role: 'user', content: 'Remember to be polite.' })
  expect(render(asked({ messages }), asked({ messages: more }))).toContain(
    [
      '    messages',
      '      … 17 equal messages',
      '      18 assistant  message 18',
      '      19 user       message 19',
      '      20 assistant  message 20',
      '    + 21 user       Remember to be polite.',
      '      22 user       message 21',
      '      … 19 equal messages',
    ].join('\n'),
  )
})

test('messages that were told of are not shown again beside new ones', () => {
  const first: Message = { role: 'user', content: 'one' }
  const second: Message = { role: 'assistant', content: 'two' }
  const text = render(
    asked({ messages: [first] }, { messages: [first, second] }),
    asked(
      { messages: [{ ...first, content: 'One' }] },
      {
        messages: [
          { ...first, content: 'One' },
          { ...second, content: 'Two' },
        ],
      },
    ),
  )
  expect(text.split('step 1  model_input\n')[1]).toBe(
    [
      '    messages',
      '      1 user       One',
      '    - 2 assistant  two',
      '    + 2 assistant  Two',
      '    … 1 difference as in step 0',
    ].join('\n'),
  )
})

test('times are readable, and steps that differ in nothing else are counted', () => {
  const run = (start: number, text: string): Trace => {
    const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
    for (const nth of [0, 1, 2]) recorder.append('metadata', { event: nth < 2 ? 'note' : text }, start + nth)
    return recorder.toTrace()
  }
  expect(render(run(0, 'a'), run(1_000, 'b'), diffTraces).split('\n').slice(5)).toEqual([
    '',
    '  2 steps from 0 to 1 differ in time only',
    '',
    '  step 2  metadata',
    '    - event  "a"',
    '    + event  "b"',
    '    - timestamp  "1970-01-01T00:00:00.002Z"',
    '    + timestamp  "1970-01-01T00:00:01.002Z"',
  ])
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
