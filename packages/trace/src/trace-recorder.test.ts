import { expect, test } from 'vitest'
import { corpus } from '../test/corpus.ts'
import { formatTrace } from './format-cassette.ts'
import { TraceRecorder } from './trace-recorder.ts'
import { verifyTrace } from './verify/verify-trace.ts'

test('recording the steps of a public cassette again gives its bytes', () => {
  const ownIds = corpus.map(({ text }) => text).filter((text) => !text.includes('"forkedFromStepId"'))
  expect(ownIds).toHaveLength(6)
  for (const text of ownIds) {
    const original = JSON.parse(text)
    const recorder = new TraceRecorder({ id: original.id, createdAt: original.createdAt })
    for (const { type, payload, timestamp } of original.steps) recorder.append(type, payload, timestamp)
    expect(formatTrace(recorder.toTrace())).toBe(text)
  }
})

test('the header has its members in the order of the format', () => {
  const recorder = new TraceRecorder({ id: 'b', createdAt: 5, forkedFromStepId: 'a:3', parentId: 'a' })
  expect(formatTrace(recorder.toTrace())).toBe(
    '{\n  "version": 2,\n  "id": "b",\n  "createdAt": 5,\n  "steps": [],\n  "parentId": "a",\n  "forkedFromStepId": "a:3"\n}',
  )
})

test('what was appended never changes', () => {
  const recorder = new TraceRecorder({ id: 'r', createdAt: 0 })
  const messages = [{ role: 'user', content: 'one' }]
  recorder.append('model_input', { messages, tools: [] }, 1)
  const before = recorder.toTrace()
  messages[0] = { role: 'user', content: 'changed' }
  recorder.append('model_input', { messages, tools: [] }, 2)
  expect(before.steps).toHaveLength(1)
  expect(before.steps[0]?.payload).toEqual({ messages: [{ role: 'user', content: 'one' }], tools: [] })
  expect(verifyTrace(recorder.toTrace()).checks.find(({ name }) => name === 'hash_chain')?.status).toBe('pass')
})

test('a request shares the messages it repeats with the request before it', () => {
  const recorder = new TraceRecorder({ id: 'r', createdAt: 0 })
  const message = (content: string) => ({ role: 'user', content })
  const request = (...contents: string[]) => ({
    messages: contents.map(message),
    tools: [{ name: 'a', description: '' }],
  })
  const first = recorder.append('model_input', request('a', 'b', 'c'), 1).payload as ReturnType<typeof request>
  const second = recorder.append('model_input', request('b', 'new', 'c', 'd'), 2).payload as ReturnType<typeof request>
  expect(second.messages[0]).toBe(first.messages[1])
  expect(second.messages[2]).toBe(first.messages[2])
  expect(second.tools).toBe(first.tools)
  expect(second).toEqual(request('b', 'new', 'c', 'd'))
})

test('a payload that cannot be stored adds nothing', () => {
  const recorder = new TraceRecorder({ id: 'r', createdAt: 0 })
  expect(() => recorder.append('tool_result', { toolCallId: 'call-0', toolName: 't', result: 1n }, 1)).toThrow(
    'A bigint in step 0 (tool_result) at result',
  )
  expect(recorder.toTrace().steps).toEqual([])
})

test('two long histories that share nothing are compared in little time', () => {
  const recorder = new TraceRecorder({ id: 'r', createdAt: 0 })
  const request = (prefix: string) => ({
    messages: Array.from({ length: 60_000 }, (_, at) => ({ role: 'user', content: `${prefix}${at}` })),
    tools: [],
  })
  const start = performance.now()
  recorder.append('model_input', request('a'), 0)
  recorder.append('model_input', request('b'), 0)
  expect(performance.now() - start).toBeLessThan(10_000)
}, 60_000)
