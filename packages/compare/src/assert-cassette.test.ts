import { ConfigError, loadTrace, type Trace, TraceRecorder } from '@retake/trace'
import { expect, test } from 'vitest'
import { assertCassette, assertVerified, type Expectations } from './assert-cassette.ts'

const corpus = (name: string): Trace =>
  loadTrace(new URL(`../../../test/corpus/blackbox/${name}.json`, import.meta.url).pathname)
const booked = corpus('fork-parent.v2')
const answer = 'Hotel booked for Alice on 2024-03-15 at 14:00.'

const rows = (trace: Trace, expectations: Expectations) =>
  assertCassette(trace, expectations).checks.map(({ name, status }) => `${name} ${status}`)

test('only the expectations given have rows, in a fixed order', () => {
  expect(rows(booked, {})).toEqual([])
  expect(
    rows(booked, {
      tools: ['search', 'calendar', 'booking'],
      finalAnswer: answer,
      failureReason: 'x',
      status: 'success',
    }),
  ).toEqual(['status pass', 'final_answer pass', 'failure_reason fail', 'tools pass'])
  expect(rows(booked, { tools: undefined as never, status: 'success' })).toEqual(['status pass'])
})

test('a run that does as expected passes', () => {
  const { pass, verify, checks, firstFailure } = assertCassette(booked, { status: 'success', finalAnswer: answer })
  expect([pass, verify.pass, firstFailure]).toEqual([true, true, undefined])
  expect(checks[1]).toEqual({
    name: 'final_answer',
    status: 'pass',
    expected: answer,
    actual: answer,
    detail: 'as expected',
  })
})

test.each<[Expectations, object]>([
  [{ status: 'error' }, { name: 'status', expected: 'error', actual: 'success', detail: 'another status' }],
  [{ finalAnswer: `${answer} ` }, { name: 'final_answer', actual: answer, detail: 'another final answer' }],
  [{ failureReason: 'agent_error' }, { actual: null, detail: 'the run has no failure reason' }],
  [{ tools: ['search', 'calendar'] }, { actual: ['search', 'calendar', 'booking'], detail: 'another tool path' }],
  [{ tools: ['search', 'booking', 'calendar'] }, { expected: ['search', 'booking', 'calendar'] }],
  [{ tools: [] }, { expected: [] }],
])('%j fails exactly', (expectations, check) => {
  const report = assertCassette(booked, expectations)
  expect(report.pass).toBe(false)
  expect(report.firstFailure).toMatchObject({ kind: 'expectation', check: { status: 'fail', ...check } })
})

test('the first failing row is the first failure, later ones are judged all the same', () => {
  const { firstFailure, checks } = assertCassette(booked, { status: 'error', finalAnswer: '', tools: [] })
  expect(firstFailure?.check.name).toBe('status')
  expect(checks.map(({ status }) => status)).toEqual(['fail', 'fail', 'fail'])
})

test('a failed run has a reason and no answer, an incomplete one has neither', () => {
  expect(rows(corpus('error-unknown-tool.v2'), { status: 'error', failureReason: 'unknown_tool' })).toEqual([
    'status pass',
    'failure_reason pass',
  ])
  const cut = { ...booked, steps: booked.steps.slice(0, -1) }
  const { checks } = assertCassette(cut, { status: 'incomplete', finalAnswer: answer })
  expect(checks.map(({ actual }) => actual)).toEqual(['incomplete', null])
})

test('tools that the agent called by itself are on the path, HTTP requests and endpoints are not', () => {
  const recorder = new TraceRecorder({ id: 'run', createdAt: 0 })
  for (const [nth, origin] of ['agent', 'http', 'mcp', 'endpoint'].entries()) {
    recorder.append('tool_call', { toolCallId: `call-${nth}`, toolName: origin, toolInput: {}, origin }, 0)
  }
  expect(rows(recorder.toTrace(), { tools: ['agent', 'mcp'] })).toEqual(['tools pass'])
})

test('a trace that does not verify fails, and its expectations are skipped without a stored value', () => {
  const steps = booked.steps.map((step) => (step.index === 3 ? { ...step, timestamp: 7 } : step))
  const report = assertCassette({ ...booked, steps }, { status: 'success', tools: ['a'] })
  expect(report).toMatchObject({
    pass: false,
    firstFailure: { kind: 'verify', check: { name: 'hash_chain', where: 'step 3' } },
    checks: [
      { name: 'status', status: 'skip', expected: 'success' },
      { name: 'tools', status: 'skip' },
    ],
  })
  expect(report.checks.some((check) => 'actual' in check)).toBe(false)
})

test('a report that fails is enough: the trace is not asked for', () => {
  const verify = {
    format: 'retake' as const,
    version: 3,
    pass: false,
    checks: [{ name: 'seal', status: 'fail' as const, detail: '' }],
  }
  const readTrace = () => {
    throw new TypeError('it was asked for')
  }
  expect(assertVerified(verify, readTrace, { status: 'success' }).firstFailure).toMatchObject({ kind: 'verify' })
  expect(assertVerified({ ...verify, pass: true, checks: [] }, readTrace, {}).pass).toBe(true)
})

test.each([
  [{ status: 'ok' }, 'the expectation status takes success, error, incomplete'],
  [{ finalAnswer: 7 }, 'the expectation finalAnswer takes a text'],
  [{ tools: 'search' }, 'the expectation tools takes a list of names'],
  [{ answer: 'x' }, 'there is no expectation "answer"'],
  [{ __proto__: null, toString: 'x' }, 'there is no expectation "toString"'],
])('%j is refused before anything is judged', (expectations, message) => {
  expect(() => assertCassette(booked, expectations as Expectations)).toThrow(ConfigError)
  expect(() => assertCassette(booked, expectations as Expectations)).toThrow(message)
})
