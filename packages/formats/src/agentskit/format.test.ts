import { readFileSync } from 'node:fs'
import { loadTrace, verifyTrace } from '@retake/trace'
import { expect, test } from 'vitest'
import { detectFormat } from '../detect-format.ts'
import type { AdapterChunk, AdapterMessage } from './adapter.ts'
import { agentskit } from './format.ts'

const corpus = new URL('../../../../test/corpus/', import.meta.url)
const published = readFileSync(new URL('agentskit/captured-session.json', corpus), 'utf8')
const source = (text: string, path = 'a.json') => ({ kind: 'file' as const, path, text })

const createdAt = new Date(1000)
const message = (
  role: AdapterMessage['role'],
  content: string,
  more: Partial<AdapterMessage> = {},
): AdapterMessage => ({
  ...{ id: 'message-0', role, content, status: 'complete', createdAt },
  ...more,
})
const cassetteOf = (
  ...entries: { request: { messages: AdapterMessage[]; context?: object }; chunks: AdapterChunk[] }[]
) => JSON.stringify({ version: 1, entries })

/** Two turns with a call of a tool, as an adapter records them; ids as retake gives them. */
const [question, asked, result] = [
  message('user', 'Where is A-77?'),
  message('assistant', 'Let me look.', {
    id: 'message-1',
    toolCalls: [{ id: 'call-0', name: 'lookup', args: { id: 'A-77' }, status: 'complete' }],
  }),
  message('tool', 'late', { id: 'message-2', toolCallId: 'call-0' }),
] as const
const context = {
  systemPrompt: 'Help.',
  temperature: 0,
  maxTokens: 9,
  tools: [{ name: 'lookup', description: 'Looks.', schema: { type: 'object' } }],
}
const run = cassetteOf(
  {
    request: { messages: [question], context },
    chunks: [
      { type: 'reasoning', content: 'Hm' },
      { type: 'text', content: 'Let me ' },
      { type: 'text', content: 'look.' },
      { type: 'tool_call', toolCall: { id: 'call-0', name: 'lookup', args: '{"id":"A-77"}' } },
      { type: 'usage', usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 } },
      { type: 'done' },
    ],
  },
  {
    request: { messages: [question, asked, result], context },
    chunks: [{ type: 'text', content: 'Late.' }, { type: 'done' }],
  },
)

test.each([
  ['the published fixture', published],
  ['a cassette of an adapter', run],
])('%s is recognized by what it holds', (_, text) => {
  expect(detectFormat(source(text, 'x.txt'))?.name).toBe('agentskit')
})

test('a run becomes a trace that verifies, and the same entries again', () => {
  const read = agentskit.read(source(run))
  expect(verifyTrace(read.trace).checks.filter(({ status }) => status !== 'pass')).toEqual([])
  expect(read.lost).toEqual([])
  expect(read.trace.steps.map(({ type, payload }) => [type, payload])).toMatchObject([
    ['model_input', { systemPrompt: 'Help.', params: { maxTokens: 9, temperature: 0 }, tools: [{ name: 'lookup' }] }],
    [
      'model_output',
      { type: 'tool_calls', text: 'Let me look.', calls: [{ toolCallId: 'call-0', toolInput: { id: 'A-77' } }] },
    ],
    [
      'model_input',
      {
        messages: [
          { role: 'user', content: 'Where is A-77?' },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'Let me look.' },
              { type: 'tool_use', toolCallId: 'call-0' },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', toolName: 'lookup', result: 'late' }] },
        ],
      },
    ],
    ['model_output', { type: 'final_answer', text: 'Late.' }],
    ['metadata', { event: 'run_completed', status: 'success', result: 'Late.' }],
  ])
  const written = agentskit.write?.(read)
  expect(written?.lost).toEqual([])
  expect(JSON.parse(written && 'text' in written ? written.text : '').cassette).toEqual(JSON.parse(run))
})

test('a failure in a reply, a reply that was not read to its end and one that never came are kept', () => {
  const text = cassetteOf(
    {
      request: { messages: [question] },
      chunks: [
        { type: 'text', content: 'Le' },
        { type: 'error', content: 'overloaded' },
      ],
    },
    { request: { messages: [question] }, chunks: [{ type: 'text', content: 'Le' }] },
    { request: { messages: [question] }, chunks: [] },
  )
  const read = agentskit.read(source(text))
  expect(read.trace.steps.map(({ type, payload }) => [type, (payload as { kind?: string }).kind])).toEqual([
    ['model_input', undefined],
    ['metadata', 'server'],
    ['model_input', undefined],
    ['metadata', 'cut'],
    ['model_input', undefined],
  ])
  const written = agentskit.write?.(read)
  expect(JSON.parse(written && 'text' in written ? written.text : '').cassette).toEqual(JSON.parse(text))
})

test('what a trace has no place for is listed', () => {
  const text = cassetteOf({
    request: { messages: [message('user', 'hi', { metadata: { a: 1 }, parts: [] })], context: { metadata: {} } },
    chunks: [{ type: 'text', content: 'x', metadata: {} }, { type: 'done' }],
  }).replace('"version":1', '"version":1,"seed":7')
  expect(agentskit.read(source(text)).lost.map(({ where }) => where)).toEqual([
    'cassette.seed',
    'cassette.entries[0].request.context.metadata',
    'cassette.entries[0].request.messages[0].parts',
    'cassette.entries[0].request.messages[0].metadata',
    'cassette.entries[0].chunks[0].metadata',
  ])
  expect(agentskit.read(source(published)).lost).toEqual([
    { where: 'traces', what: '3 decisions of the application have no place in a trace' },
  ])
})

test('what a fixture has no place for is listed', () => {
  const trace = loadTrace(new URL('blackbox/triage-incident.json', corpus).pathname)
  const written = agentskit.write?.({ trace, extras: [{ step: 1, servedModel: 'm' }], test: { file: 'a', name: 'b' } })
  const where = new Set(written?.lost.map(({ where, what }) => (where === 'test' ? where : what)))
  expect([...where]).toEqual(expect.arrayContaining(['test', 'when the tool ran', 'the model that answered']))
})

test('verify says where the first thing is that is wrong', () => {
  expect(agentskit.verify?.(source(published))).toEqual({
    ...{ format: 'agentskit', version: 'agentskit.chat.replay 1', pass: true },
    checks: [{ name: 'schema', status: 'pass', detail: '1 request(s), 3 trace(s)' }],
  })
  const broken = published.replace('"sequence": 1', '"sequence": 2')
  expect(agentskit.verify?.(source(broken))).toMatchObject({
    pass: false,
    checks: [{ status: 'fail', code: 'RETAKE_CASSETTE_CORRUPT', where: 'line 36, column 19' }],
  })
})

test('diff looks at requests, replies and decisions; times and ids do not count', () => {
  const later = published.replaceAll('1970-01-01', '2026-01-01').replace('user-fixture', 'other')
  expect(agentskit.diff?.(source(published), source(later))).toEqual({ firstDivergence: null, differences: [] })
  const other = published.replace('"allow"', '"deny"').replace('fixture response', 'other')
  expect(agentskit.diff?.(source(published), source(other))).toEqual({
    firstDivergence: 0,
    differences: [
      {
        step: 0,
        path: 'cassette.entries[0].chunks[0].content',
        kind: 'changed',
        before: 'fixture response',
        after: 'other',
      },
      { step: 2, path: 'traces[1].detail.decision', kind: 'changed', before: 'allow', after: 'deny' },
    ],
  })
})
