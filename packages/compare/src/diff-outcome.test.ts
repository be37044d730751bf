import { loadTrace, type Trace } from '@retake/trace'
import { expect, test } from 'vitest'
import { diffOutcome } from './diff-outcome.ts'

const corpus = (name: string): Trace =>
  loadTrace(new URL(`../../../test/corpus/blackbox/${name}.json`, import.meta.url).pathname)

/** A run that called these tools and ended with this payload. */
const run = (tools: string[], end?: object): Trace => {
  const payloads = [
    { type: 'tool_calls', calls: tools.map((toolName, at) => ({ toolCallId: `call-${at}`, toolName, toolInput: {} })) },
    ...(end ? [end] : []),
  ]
  return {
    version: 2,
    id: 'run',
    createdAt: 0,
    steps: payloads.map((payload, index) => ({
      id: `run:${index}`,
      index,
      type: index === 0 ? 'model_output' : 'metadata',
      timestamp: 0,
      payload: payload as never,
      prevHash: null,
      hash: '',
    })),
  }
}
const completed = (result: string) => ({ event: 'run_completed', status: 'success', result })
const failed = (message: string) => ({ event: 'run_failed', status: 'error', reason: 'agent_error', message })

test('a forked run tells which answer and which tools changed', () => {
  expect(diffOutcome(corpus('fork-parent.v2'), corpus('fork-child.v2'))).toEqual({
    parentStatus: 'success',
    childStatus: 'success',
    parentResult: 'Hotel booked for Alice on 2024-03-15 at 14:00.',
    childResult: expect.stringMatching(/^No hotels available for Alice/),
    parentTools: ['search', 'calendar', 'booking'],
    childTools: ['search'],
    statusChanged: false,
    finalAnswerChanged: true,
    toolSequenceChanged: true,
    behaviorallyEquivalent: false,
    verdict: 'same final status (success), but the final answer changed',
  })
})

test.each([
  [run(['a'], completed('x')), run(['b'], failed('x')), /^outcome flipped: parent success → child error$/],
  [run(['a'], completed('x')), run(['a']), /^outcome flipped: parent success → child incomplete$/],
  [run(['a'], completed('x')), run(['b'], completed('y')), /\(success\), but the final answer changed$/],
  [run(['a'], failed('x')), run(['a'], failed('y')), /\(error\), but the failure reason changed$/],
  [run(['a', 'b'], completed('x')), run(['b', 'a'], completed('x')), /^same outcome, but the tool-call path changed$/],
])('the weightiest change decides the verdict (%#)', (parent, child, verdict) => {
  const outcome = diffOutcome(parent, child)
  expect(outcome.verdict).toMatch(verdict)
  expect(outcome.behaviorallyEquivalent).toBe(false)
})

test('two runs that did the same are equivalent, however else they differ', () => {
  const outcome = diffOutcome(corpus('fork-parent.v2'), corpus('success-tool-use.v2'))
  expect(outcome.behaviorallyEquivalent).toBe(true)
  expect(outcome.verdict).toMatch(/^no behavioral change/)
  expect(diffOutcome(run([]), run([]))).not.toHaveProperty('parentResult')
})

test('runs without an end have no result that could be the same', () => {
  const { verdict } = diffOutcome(run(['a']), run(['a']))
  expect(verdict).toBe('same status (incomplete, without a result) and tool-call path')
})
