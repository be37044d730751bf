import { expect, test } from 'vitest'
import type { JsonValue } from './json/json.ts'
import { findNeutralityMarkers, maskMarkers } from './neutrality.ts'
import type { TraceStepType } from './trace.ts'
import { TraceRecorder } from './trace-recorder.ts'

function markersIn(type: TraceStepType, payload: JsonValue) {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  recorder.append(type, payload, 0)
  return findNeutralityMarkers(recorder.toTrace())
}

test.each([
  ['usage', { usage: { input: 1 } }, 'step 0 payload'],
  ['stop_reason', { nested: [{ stop_reason: 'end' }] }, 'step 0 payload.nested[0]'],
  ['stop_sequence', { stop_sequence: null }, 'step 0 payload'],
  ['finish_reason', { finish_reason: 'stop' }, 'step 0 payload'],
  ['system_fingerprint', { system_fingerprint: 'fp' }, 'step 0 payload'],
  ['toolu_', { toolCallId: 'toolu_01A' }, 'step 0 payload.toolCallId'],
  ['msg_', { id: 'msg_9' }, 'step 0 payload.id'],
  ['call_', { toolCallId: 'call_abcdefghij0123456789' }, 'step 0 payload.toolCallId'],
  ['chatcmpl-', { id: 'chatcmpl-12345678' }, 'step 0 payload.id'],
  ['resp_', { id: 'resp_0123456789abcdef' }, 'step 0 payload.id'],
  ['sk-ant', { event: 'x', message: 'key sk-ant-…' }, 'step 0 payload.message'],
  ['OPENAI_API_KEY', { event: 'x', message: 'set OPENAI_API_KEY' }, 'step 0 payload.message'],
  ['ANTHROPIC_API_KEY', { ANTHROPIC_API_KEY: 'x' }, 'step 0 payload'],
])('%s in a structural place is a marker', (marker, payload, where) => {
  expect(markersIn('metadata', payload as JsonValue)).toEqual([{ where, marker }])
})

const providerTalk = {
  usage: 42,
  stop_reason: 'x',
  note: 'toolu_01 msg_2 chatcmpl-12345678 ANTHROPIC_API_KEY sk-ant-x',
}

test.each<[string, TraceStepType, JsonValue]>([
  ['a tool result', 'tool_result', { toolCallId: 'call-0', toolName: 't', result: providerTalk }],
  ['a tool error', 'tool_result', { toolCallId: 'call-0', toolName: 't', error: providerTalk.note }],
  ['a tool input', 'tool_call', { toolCallId: 'call-0', toolName: 't', toolInput: providerTalk }],
  [
    'a schema',
    'model_input',
    { messages: [], tools: [{ name: 't', description: providerTalk.note, inputSchema: providerTalk }] },
  ],
  ['a message', 'model_input', { messages: [{ role: 'user', content: providerTalk.note }], tools: [] }],
  [
    'a part of a message',
    'model_input',
    { messages: [{ role: 'user', content: [{ type: 'text', text: providerTalk.note }] }], tools: [] },
  ],
  ['a prompt', 'model_input', { messages: [], tools: [], systemPrompt: providerTalk.note }],
  ['an unknown request field', 'model_input', { messages: [], tools: [], params: { other: providerTalk } }],
  [
    'a reply schema',
    'model_input',
    { messages: [], tools: [], params: { responseFormat: { schema: { properties: { usage: {} } } } } },
  ],
  ['an answer', 'model_output', { type: 'final_answer', text: providerTalk.note }],
])('%s may talk about providers', (_, type, payload) => {
  expect(markersIn(type, payload)).toEqual([])
})

test('a real credential is a marker anywhere', () => {
  const secret = `sk-proj-${'a1'.repeat(20)}`
  expect(markersIn('tool_result', { toolCallId: 'call-0', toolName: 't', result: [secret] })).toEqual([
    { where: 'step 0 payload.result[0]', marker: 'sk-proj' },
  ])
  expect(markersIn('model_input', { messages: [], tools: [], params: { other: { [secret]: 1 } } })).toEqual([
    { where: 'step 0 payload.params.other', marker: 'sk-proj' },
  ])
})

test('what a provider says of an error is masked until no marker is left', () => {
  const said = [
    'Incorrect API key provided: sk-proj-********************abcd.',
    'x-api-key sk-ant-…wxyz is not valid',
    'set the OPENAI_API_KEY environment variable',
    'No tool call found for msg_1b and toolu_01Ab_Cd; see req_011CSHoEeqs5C35K2UUqR7Fy',
    'Bearer abcdefghijklmnop== was rejected',
  ]
  for (const message of said) {
    const masked = maskMarkers(message)
    expect(masked).not.toBe(message)
    expect(
      markersIn('metadata', { event: 'model_error', status: 401, kind: 'authentication', message: masked }),
    ).toEqual([])
  }
  expect(maskMarkers('Rate limit reached for gpt-5 in call_centre')).toBe('Rate limit reached for gpt-5 in call_centre')
})
