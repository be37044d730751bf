import { expect, test } from 'vitest'
import { corpus, corpusText } from '../../test/corpus.ts'
import type { JsonValue } from '../json/json.ts'
import { parseTrace } from '../parse-cassette.ts'
import type { Trace, TraceStepType } from '../trace.ts'
import { TraceRecorder } from '../trace-recorder.ts'
import { verifyTrace } from './verify-trace.ts'

const names = ['schema_version', 'hash_chain', 'provider_neutrality', 'replayability', 'payload_shape', 'pairing']

test.each(corpus)('$name passes every check', ({ text }) => {
  const report = verifyTrace(parseTrace(text))
  expect(report).toMatchObject({ format: 'retake', version: 2, pass: true })
  expect(report.checks.map(({ name, status }) => `${name} ${status}`)).toEqual(names.map((name) => `${name} pass`))
})

type Step = [TraceStepType, JsonValue]

function record(steps: Step[]): Trace {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  for (const [type, payload] of steps) recorder.append(type, payload, 0)
  return recorder.toTrace()
}

const input: Step = ['model_input', { messages: [{ role: 'user', content: 'hi' }], tools: [] }]
const calls: Step = [
  'model_output',
  { type: 'tool_calls', calls: [{ toolCallId: 'call-0', toolName: 't', toolInput: {} }] },
]
const call: Step = ['tool_call', { toolCallId: 'call-0', toolName: 't', toolInput: {} }]
const result: Step = ['tool_result', { toolCallId: 'call-0', toolName: 't', result: null }]
const answer: Step = ['model_output', { type: 'final_answer', text: 'done' }]
const completed: Step = ['metadata', { event: 'run_completed', status: 'success', result: 'done' }]
const attempt: Step = ['metadata', { event: 'model_error', status: 429, kind: 'rate_limit', message: 'slow down' }]

/** The check that decides, its code and its place. */
function failure(trace: Trace) {
  const { checks, pass } = verifyTrace(trace)
  const at = checks.findIndex(({ status }) => status !== 'pass')
  expect(pass).toBe(at === -1)
  if (at === -1) return 'pass'
  expect(checks.slice(at + 1).every(({ status }) => status === 'skip')).toBe(true)
  const { name, status, code, where } = checks[at] ?? {}
  expect(status).toBe('fail')
  return `${name} ${code}${where === undefined ? '' : ` ${where}`}`
}

const whole = [input, calls, call, result, input, attempt, attempt, answer, completed]

test('a whole run passes, and every start of it that claims no success', () => {
  for (let length = 0; length <= whole.length; length++) expect(failure(record(whole.slice(0, length)))).toBe('pass')
})

test.each<[string, Step[]]>([
  ['replayability false_success step 2', [input, answer, completed, input]],
  ['provider_neutrality marker step 0 payload', [['metadata', { event: 'note', usage: 1 }]]],
  ['pairing reply_without_request step 0', [answer]],
  ['pairing reply_without_request step 2', [input, answer, answer]],
  ['pairing reply_without_request step 2', [input, ['metadata', { event: 'note' }], answer]],
  ['pairing call_not_requested step 0', [call]],
  ['pairing call_repeated step 3', [input, calls, call, call, result]],
  ['pairing result_without_call step 2', [input, calls, result]],
  ['pairing result_repeated step 4', [input, calls, call, result, result]],
])('%s', (expected, steps) => {
  expect(failure(record(steps))).toBe(expected)
})

test('a call of another origin needs no reply that asked for it', () => {
  for (const origin of ['agent', 'endpoint', 'http', 'mcp']) {
    expect(failure(record([['tool_call', { ...(call[1] as object), origin } as JsonValue], result]))).toBe('pass')
  }
})

test.each<[string, ...Step]>([
  ['.tools', 'model_input', { messages: [] }],
  ['.extra', 'model_input', { messages: [], tools: [], extra: 1 }],
  ['.tools', 'model_input', { messages: [], tools: {} }],
  ['.tools[0].description', 'model_input', { messages: [], tools: [{ name: 't', description: 1 }] }],
  ['.model', 'model_input', { messages: [], tools: [], model: 7 }],
  ['.params', 'model_input', { messages: [], tools: [], params: [] }],
  [
    '.messages[1].role',
    'model_input',
    {
      messages: [
        { role: 'user', content: '' },
        { role: 'tool', content: '' },
      ],
      tools: [],
    },
  ],
  [
    '.messages[0].content[0].toolName',
    'model_input',
    {
      messages: [{ role: 'user', content: [{ type: 'tool_use', toolCallId: 'call-0', toolName: 1, toolInput: 1 }] }],
      tools: [],
    },
  ],
  ['.messages', 'model_input', { messages: 'none', tools: [] }],
  ['', 'model_output', 'text'],
  ['.type', 'model_output', { type: 'answer', text: '' }],
  ['.text', 'model_output', { type: 'final_answer', text: null }],
  ['.stop', 'model_output', { type: 'final_answer', text: '', stop: 'end' }],
  ['.stop', 'model_output', { type: 'tool_calls', calls: [], stop: 'tools' }],
  ['.calls[0].toolInput', 'model_output', { type: 'tool_calls', calls: [{ toolCallId: 'call-0', toolName: 't' }] }],
  ['.parts[0].text', 'model_output', { type: 'final_answer', text: '', parts: [{ type: 'reasoning', text: 1 }] }],
  ['.toolInput', 'tool_call', { toolCallId: 'call-0', toolName: 't' }],
  ['.origin', 'tool_call', { toolCallId: 'call-0', toolName: 't', toolInput: 1, origin: 'elsewhere' }],
  ['.result', 'tool_result', { toolCallId: 'call-0', toolName: 't', result: 1, error: 'both' }],
  ['.error', 'tool_result', { toolCallId: 'call-0', toolName: 't', error: { a: 1 } }],
  ['', 'metadata', 7],
  ['.event', 'metadata', { status: 'success' }],
  ['.result', 'metadata', { event: 'run_completed', status: 'success' }],
  ['.reason', 'metadata', { event: 'run_failed', status: 'error', reason: 1 }],
  ['.status', 'metadata', { event: 'model_error', status: '429', kind: 'x', message: 'm' }],
])('payload_shape names the place: %s of a %s', (path, type, payload) => {
  const expected = path === '' ? 'step 0 payload' : `step 0 payload${path}`
  const where = failure(record([[type, payload]])).replace('payload_shape payload_shape ', '')
  expect(where).toBe(expected)
})

test('the optional members that retake adds are shapes too', () => {
  const media = { type: 'media', mediaType: 'image/png', sha256: 'a'.repeat(64), bytes: 3 }
  const steps: Step[] = [
    [
      'model_input',
      {
        messages: [
          { role: 'system', content: 'x', name: 'n' },
          {
            role: 'user',
            content: [
              media,
              { type: 'media', mediaType: 'a/b', ref: 'r', options: { detail: 'low' } },
              { type: 'refusal', text: '' },
            ],
          },
        ],
        tools: [{ name: 't', description: '', inputSchema: true, kind: 'custom', options: { strict: true } }],
        params: { other: { anything: 1 } },
        systemPrompt: 's',
        model: 'm',
      },
    ],
    [
      'model_output',
      {
        type: 'tool_calls',
        calls: [{ toolCallId: 'call-0', toolName: 't', toolInput: 'x', kind: 'custom', inputText: 'x' }],
        text: 'a',
        stop: 'end',
        stopText: 's',
        stopDetail: 'd',
        parts: [{ type: 'reasoning', text: '' }, media],
      },
    ],
    ['tool_call', { toolCallId: 'call-0', toolName: 't', toolInput: 'x', kind: 'custom', inputText: 'x' }],
    ['tool_result', { toolCallId: 'call-0', toolName: 't', error: 'e', errorName: 'TypeError' }],
    ['metadata', { event: 'run_failed', status: 'error', reason: 'agent_error', message: 'm', more: { any: 1 } }],
  ]
  expect(failure(record(steps))).toBe('pass')
})

test('no detail shows a stored value', () => {
  const trace = parseTrace(corpusText('triage-incident.json'))
  const odd = JSON.parse(
    JSON.stringify(trace).replaceAll('"call-0"', '"leak-me"').replace('"role":"user"', '"role":"leak-me"'),
  )
  expect(JSON.stringify(verifyTrace(odd))).not.toContain('leak')
  odd.version = 'leak'
  expect(JSON.stringify(verifyTrace(odd))).not.toContain('leak')
})

test.each([null, 7, [], {}, { version: 2 }, { version: 2, id: 'a', createdAt: 0, steps: [null] }, { version: 3 }])(
  'no trace at all fails without an exception: %j',
  (value) => {
    expect(verifyTrace(value as unknown as Trace).pass).toBe(false)
  },
)

test('values that JSON cannot hold fail without an exception', () => {
  const trace = record([input, answer])
  ;(trace.steps[1] as { payload: unknown }).payload = { type: 'final_answer', text: 1n }
  expect(failure(trace)).toBe('hash_chain not_json')
})
