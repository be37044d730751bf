import { loadTrace, type Trace, TraceRecorder, type TraceStepType } from '@retake/trace'
import { expect, test } from 'vitest'
import { renderConversation } from './conversation.ts'
import { createStyle } from './style.ts'
import { textWidth } from './text-width.ts'

const corpus = (name: string): Trace =>
  loadTrace(new URL(`../../../../test/corpus/blackbox/${name}.json`, import.meta.url).pathname)
const style = createStyle()
const trace = (...steps: [TraceStepType, unknown][]): Trace => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  for (const [type, payload] of steps) recorder.append(type, payload, 0)
  return recorder.toTrace()
}
const lines = (run: Trace, width = 100, most?: number) =>
  renderConversation(run, { style, width, ...(most !== undefined && { most }) }).split('\n')

test('a run reads as a conversation in which nothing is said twice', () => {
  const run = corpus('success-tool-use.v2')
  expect(lines(run, 200)).toEqual([
    'user       Book a hotel for Alice this weekend.',
    'assistant  → search {"query":"weekend hotels"}',
    expect.stringMatching(/^tool {7}\{"results":\[\{"title"/),
    'assistant  → calendar {"date":"2024-03-15"}',
    'tool       {"date":"2024-03-15","availableSlots":["09:00","14:00","16:00"]}',
    'assistant  → booking {"date":"2024-03-15","time":"14:00","name":"Alice"}',
    'tool       {"confirmed":true,"reference":"BK-20240315-1400","name":"Alice"}',
    'assistant  Hotel booked for Alice on 2024-03-15 at 14:00.',
  ])
})

test('a failed run ends with its reason, and a tool error is marked', () => {
  expect(lines(corpus('error-unknown-tool.v2'), 200).slice(-2)).toEqual([
    expect.stringMatching(/^tool {7}✗ Unknown fixture tool: "flights"/),
    'error      run failed, unknown_tool: flights',
  ])
})

test('results of tools that were not wrapped come from the next request', () => {
  const asked = {
    role: 'assistant',
    content: [{ type: 'tool_use', toolCallId: 'call-0', toolName: 'f', toolInput: {} }],
  }
  const run = trace(
    ['model_input', { systemPrompt: 'Be kind.\nBe brief.', messages: [{ role: 'user', content: 'hi' }], tools: [] }],
    [
      'model_output',
      { type: 'tool_calls', text: 'Wait.', calls: [{ toolCallId: 'call-0', toolName: 'f', toolInput: {} }] },
    ],
    [
      'model_input',
      {
        systemPrompt: 'Be kind.\nBe brief.',
        messages: [
          { role: 'user', content: 'hi' },
          asked,
          { role: 'user', content: [{ type: 'tool_result', toolCallId: 'call-0', toolName: 'f', result: 'late' }] },
        ],
        tools: [],
      },
    ],
    ['metadata', { event: 'model_error', status: 429, kind: 'rate_limit', message: 'slow down' }],
    ['model_output', { type: 'final_answer', text: 'Done', stop: 'length' }],
  )
  expect(lines(run)).toEqual([
    'system     Be kind. Be brief.',
    'user       hi',
    'assistant  Wait.',
    'assistant  → f {}',
    'tool       late',
    'error      429 rate_limit: slow down',
    'assistant  Done (length)',
  ])
})

test('a second conversation in the run does not repeat the first', () => {
  const first = { messages: [{ role: 'user', content: 'one' }], tools: [] }
  const second = { messages: [{ role: 'user', content: 'two' }], tools: [] }
  const more = [
    { role: 'assistant', content: 'A' },
    { role: 'user', content: 'three' },
  ]
  const run = trace(
    ['model_input', first],
    ['model_output', { type: 'final_answer', text: 'A' }],
    ['model_input', second],
    ['model_output', { type: 'final_answer', text: 'B' }],
    ['model_input', { ...first, messages: [...first.messages, ...more] }],
  )
  expect(lines(run).map((line) => line.slice(11))).toEqual(['one', 'A', 'two', 'B', 'A', 'three'])
})

test('calls that no reply asked for are shown', () => {
  const run = trace(
    ['tool_call', { toolCallId: 'call-0', toolName: 'http GET a/b', toolInput: {}, origin: 'http' }],
    ['tool_result', { toolCallId: 'call-0', toolName: 'http GET a/b', result: 'ok' }],
  )
  expect(lines(run)).toEqual(['call       → http GET a/b {}', 'tool       ok'])
})

test('a long conversation is folded in the middle', () => {
  expect(lines(corpus('success-tool-use.v2'), 100, 5).map((line) => line.slice(0, 9))).toEqual([
    'user     ',
    'assistant',
    '… 4 more ',
    'tool     ',
    'assistant',
  ])
})

test('no line is wider than asked, and none acts on the terminal', () => {
  const run = trace([
    'model_input',
    { messages: [{ role: 'user', content: `\u001b[2J${'日本語'.repeat(50)}` }], tools: [] },
  ])
  const [line = ''] = lines(run, 60)
  expect(line).toMatch(/^user {7}\\u001b\[2J日/)
  expect(textWidth(line)).toBeLessThanOrEqual(60)
})
