import { expect, test } from 'vitest'
import { formatTrace } from './format-cassette.ts'
import { stepLine } from './step-line.ts'
import { TraceRecorder } from './trace-recorder.ts'

const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
recorder.append('model_input', { messages: [{ role: 'user', content: '\n    {\n  ]' }], tools: [] }, 0)
recorder.append('model_output', { type: 'final_answer', text: 'x'.repeat(200) }, 1)
recorder.append('metadata', { event: 'run_completed', status: 'success', result: '' }, 2)
const trace = recorder.toTrace()

test.each(['v2', 'v3'] as const)('the line of every step of a %s cassette', (format) => {
  const text = formatTrace(trace, { format })
  for (const { index, type } of trace.steps) {
    const line = stepLine(text, index)
    const around = text.split('\n').slice((line ?? 0) - 1, (line ?? 0) + 3)
    expect(around.join('\n')).toContain(`"type": "${type}"`)
    expect(around[0]).toMatch(/^ {4}\{/)
  }
  expect(stepLine(text, 3)).toBeUndefined()
})

test('another layout has no lines of steps', () => {
  expect(stepLine(JSON.stringify(trace), 0)).toBeUndefined()
})
