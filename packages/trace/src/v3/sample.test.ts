import { expect, test } from 'vitest'
import { sealed } from '../../test/seal.ts'
import { v3Sample } from '../../test/v3-sample.ts'
import { formatCassette } from '../format-cassette.ts'
import { parseCassette } from '../parse-cassette.ts'
import { TraceRecorder } from '../trace-recorder.ts'

const call = { toolCallId: 'call-0', toolName: 'lookup', toolInput: { id: 'A-77' } }
const result = { toolCallId: 'call-0', toolName: 'lookup', result: 'late, 20 €' }
const input = {
  messages: [{ role: 'user', content: 'Where is A-77?' }],
  tools: [{ name: 'lookup', description: 'Looks an order up.' }],
  systemPrompt: 'You are the refund agent.\nRefund only late orders.',
  model: 'gpt-5',
}

function recorded() {
  const at = 1764460800000
  const recorder = new TraceRecorder({ id: 'run_7f3a', createdAt: at })
  recorder.append('model_input', input, at + 12)
  recorder.append('model_output', { type: 'tool_calls', calls: [call] }, at + 830)
  recorder.append('tool_call', call, at + 831)
  recorder.append('tool_result', result, at + 840)
  const messages = [
    ...input.messages,
    { role: 'assistant', content: [{ type: 'tool_use', ...call }] },
    { role: 'user', content: [{ type: 'tool_result', ...result }] },
  ]
  recorder.append('model_input', { ...input, messages }, at + 841)
  return recorder.toTrace()
}

const file = {
  trace: recorded(),
  format: 'v3' as const,
  test: { file: 'refund.test.ts', name: 'refund agent > late order' },
  extras: [{ step: 1, tokens: { input: 312, output: 18 } }],
}

test('the example of the format description is written character for character', () => {
  expect(formatCassette(file)).toBe(v3Sample)
})

test('the example of the format description is read as what was recorded', () => {
  expect(parseCassette(v3Sample)).toEqual(file)
  expect(JSON.stringify(parseCassette(v3Sample).trace)).toBe(JSON.stringify(file.trace))
})

test('sums and seal are plain SHA-256 of the compact JSON', () => {
  const value = JSON.parse(v3Sample)
  expect(sealed(value)).toEqual(value)
})
