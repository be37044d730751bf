import { expect, test } from 'vitest'
import { corpusText } from '../test/corpus.ts'
import { parseTrace } from './parse-cassette.ts'
import { terminalOutcome } from './terminal-outcome.ts'
import { finalAnswerOf, toolCallsOf, toolPathOf } from './tool-calls.ts'
import { TraceRecorder } from './trace-recorder.ts'

const call = { toolCallId: 'call-0', toolName: 'lookup', toolInput: { id: 1 } }

test('both call shapes are read', () => {
  expect(toolCallsOf({ type: 'tool_call', ...call, stop: 'length' })).toEqual([call])
  expect(toolCallsOf({ type: 'tool_calls', calls: [call, call], text: 'now' })).toEqual([call, call])
  expect(toolCallsOf({ type: 'final_answer', text: 'done' })).toEqual([])
})

test('only an answer has a final answer', () => {
  expect(finalAnswerOf({ type: 'final_answer', text: '' })).toBe('')
  expect(finalAnswerOf({ type: 'tool_calls', calls: [call], text: 'now' })).toBeUndefined()
})

test('the tool path of a public cassette is its calls in order', () => {
  expect(toolPathOf(parseTrace(corpusText('triage-incident.json')))).toHaveLength(4)
  expect(toolPathOf(parseTrace(corpusText('error-unknown-tool.v2.json')))).toHaveLength(1)
})

test('the tool path counts requested calls once, also unwrapped ones, and calls of the agent and of MCP', () => {
  const recorder = new TraceRecorder({ id: 'r', createdAt: 0 })
  recorder.append(
    'model_output',
    { type: 'tool_calls', calls: [call, { ...call, toolCallId: 'call-1', toolName: 'unwrapped' }] },
    0,
  )
  recorder.append('tool_call', call, 0)
  for (const origin of ['agent', 'mcp', 'http', 'endpoint']) {
    recorder.append('tool_call', { toolCallId: `call-${origin}`, toolName: origin, toolInput: {}, origin }, 0)
  }
  expect(toolPathOf(recorder.toTrace())).toEqual(['lookup', 'unwrapped', 'agent', 'mcp'])
})

test('the last step tells how a run ended', () => {
  expect(terminalOutcome(parseTrace(corpusText('success-final-answer.v2.json'))).status).toBe('success')
  expect(terminalOutcome(parseTrace(corpusText('error-unknown-tool.v2.json')))).toMatchObject({
    status: 'error',
    reason: 'unknown_tool',
  })
  const recorder = new TraceRecorder({ id: 'r', createdAt: 0 })
  recorder.append('metadata', { event: 'run_completed', status: 'success', result: 'x' }, 0)
  expect(terminalOutcome(recorder.toTrace())).toEqual({ status: 'success', result: 'x' })
  recorder.append('metadata', { event: 'note' }, 0)
  expect(terminalOutcome(recorder.toTrace())).toEqual({ status: 'incomplete' })
})
