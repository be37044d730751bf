import { type Trace, TraceRecorder, type TraceStepType } from '@retake/trace'
import { expect, test } from 'vitest'
import { compareRuns } from './compare-runs.ts'

type Step = [TraceStepType, unknown]

const trace = (...steps: Step[]): Trace => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  for (const [type, payload] of steps) recorder.append(type, payload, 0)
  return recorder.toTrace()
}
const asked = (messages: unknown[], members: object = {}): Step => ['model_input', { messages, tools: [], ...members }]
const user = (content: string) => ({ role: 'user', content })
const call = (toolName: string, toolInput: unknown, nth = 0) => ({ toolCallId: `call-${nth}`, toolName, toolInput })
const calls = (...list: object[]): Step => ['model_output', { type: 'tool_calls', calls: list }]
const answer = (text: string, members: object = {}): Step => [
  'model_output',
  { type: 'final_answer', text, ...members },
]
const result = (toolName: string, value: unknown, nth = 0): Step => [
  'tool_result',
  { toolCallId: `call-${nth}`, toolName, result: value },
]
const completed = (text: string): Step => ['metadata', { event: 'run_completed', status: 'success', result: text }]
const failed = (reason: string): Step => ['metadata', { event: 'run_failed', status: 'error', reason, message: 'why' }]

/** What changed, as `area name kind`. */
const changes = (before: Trace, after: Trace): string[] => {
  const { behavior, requests } = compareRuns(before, after)
  return [...behavior, '|' as const, ...requests].map((change) =>
    change === '|' ? change : [change.area, change.name, change.kind].filter(Boolean).join(' '),
  )
}

const run = (amount: number, text: string, members: object = {}, question = 'Where is A-77?'): Trace =>
  trace(
    asked([user(question)], members),
    calls(call('refund', { amount })),
    ['tool_call', call('refund', { amount })],
    result('refund', { refunded: amount }),
    asked(
      [user(question), { role: 'assistant', content: [{ type: 'tool_use', ...call('refund', { amount }) }] }],
      members,
    ),
    answer(text),
    completed(text),
  )

test('runs that say the same have no changes, whenever they were made', () => {
  const later = run(20, 'Done.')
  expect(compareRuns(run(20, 'Done.'), { ...later, id: 'other', createdAt: 5 })).toEqual({
    conversation: [],
    behavior: [],
    requests: [],
  })
})

test('an argument and an answer; the result that follows from the argument goes without saying', () => {
  expect(changes(run(20, 'Sent 20.'), run(18.5, 'Sent 18.5.'))).toEqual([
    'argument refund.amount changed',
    'answer changed',
    '|',
  ])
})

test('what every request repeats is told once', () => {
  const setup = (systemPrompt: string, temperature: number, description: string) => ({
    model: 'gpt-5',
    systemPrompt,
    params: { temperature },
    tools: [{ name: 'refund', description }],
  })
  expect(
    changes(run(20, 'Done.', setup('Be kind.', 0, 'Pays.')), run(20, 'Done.', setup('Be brief.', 1, 'Pays back.'))),
  ).toEqual(['|', 'system changed', 'tool refund changed', 'param temperature changed'])
  expect(changes(run(20, 'Done.', {}, 'Where?'), run(20, 'Done.', {}, 'Where is it?'))).toEqual([
    '|',
    'message user changed',
  ])
  expect(changes(run(20, 'Done.', { model: 'a' }), run(20, 'Done.', { model: 'b' }))).toEqual(['|', 'model changed'])
})

test('a result of a call that is the same is a cause', () => {
  const found = (value: string) =>
    trace(
      asked([user('hi')]),
      calls(call('look', {})),
      ['tool_call', call('look', {})],
      result('look', value),
      answer('ok'),
    )
  expect(changes(found('late'), found('on time'))).toEqual(['|', 'result look changed'])
})

test('results of tools that are not wrapped are read from the next request', () => {
  const found = (value: string) => {
    const part = { type: 'tool_result', toolCallId: 'call-0', toolName: 'look', result: value }
    return trace(
      asked([user('hi')]),
      calls(call('look', {})),
      asked([user('hi'), { role: 'user', content: [part] }]),
      answer('ok'),
    )
  }
  expect(changes(found('late'), found('on time'))).toEqual(['|', 'result look changed'])
})

test('a call more, a call less, and how it ends come before all else', () => {
  const short = trace(asked([user('hi')]), answer('ok'), completed('ok'))
  const long = trace(asked([user('hi')]), calls(call('look', {}), call('refund', {}, 1)), failed('agent_error'))
  expect(changes(short, long)).toEqual([
    'outcome changed',
    'call look added',
    'call refund added',
    'answer removed',
    '|',
  ])
  expect(changes(long, short)).toEqual([
    'outcome changed',
    'call look removed',
    'call refund removed',
    'answer added',
    '|',
  ])
})

test('one call more renumbers the later ones, which do not change by that', () => {
  const with1 = trace(asked([user('hi')]), calls(call('b', { x: 1 })), asked([user('hi')]), answer('ok'))
  const with2 = trace(
    asked([user('hi')]),
    calls(call('a', {}), call('b', { x: 1 }, 1)),
    asked([user('hi')]),
    answer('ok'),
  )
  expect(changes(with1, with2)).toEqual(['call a added', '|'])
})

test('why the model stopped, its reasoning, and attempts that failed', () => {
  const parts = (text: string) => [
    { type: 'reasoning', text },
    { type: 'text', text: 'ok' },
  ]
  const base = trace(asked([user('hi')]), answer('ok', { parts: parts('a') }))
  const other = trace(
    asked([user('hi')]),
    ['metadata', { event: 'model_error', status: 429, kind: 'rate_limit', message: 'slow' }],
    answer('ok', { parts: parts('b'), stop: 'length' }),
  )
  expect(changes(base, other)).toEqual([
    'reply reasoning changed',
    'reply stop changed',
    'attempt model_error added',
    '|',
  ])
})

test('a tool that the code calls otherwise than the model asked', () => {
  const called = (amount: number) =>
    trace(
      asked([user('hi')]),
      calls(call('refund', { amount: 20 })),
      ['tool_call', call('refund', { amount })],
      answer('ok'),
    )
  expect(changes(called(20), called(10))).toEqual(['call refund added', '|'])
  expect(changes(called(15), called(10))).toEqual(['argument refund.amount changed', '|'])
})

test('what the conversation does not show is told by its place in the file', () => {
  const with0 = trace(asked([user('hi')]), calls(call('look', {})))
  const renumbered = trace(asked([user('hi')]), calls(call('look', {}, 7)))
  expect(changes(with0, renumbered)).toEqual(['|', 'other step 1 calls[0].toolCallId changed'])
})
