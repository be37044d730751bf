import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Reporter } from 'vitest/node'
import { createProgressReporter } from './recording-progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const start = (isTerminal: boolean) => {
  const lines: string[] = []
  const reporter = createProgressReporter((line) => lines.push(line), isTerminal) as Required<Reporter>
  let now = 'pending'
  const testCase = () => ({ id: '1', result: () => ({ state: now }) }) as never
  const record = (reply?: object) =>
    reporter.onTestCaseArtifactRecord(testCase(), {
      type: 'retake:recording',
      test: 'refund > late order',
      ...(reply && { reply }),
    } as never)
  reporter.onTestRunStart([])
  return {
    lines,
    record,
    reply: (request: number) => record({ request, tools: [], duration: 500 }),
    end(state: string) {
      now = state
      reporter.onTestCaseResult(testCase())
    },
    endRun: (reason: 'passed' | 'interrupted') => reporter.onTestRunEnd([], [], reason),
  }
}

test('without a terminal a recording that takes long says so every 30 seconds, and no more once it is over', () => {
  const { lines, record, reply, end, endRun } = start(false)
  record()
  vi.advanceTimersByTime(29_000)
  expect(lines).toEqual([])
  reply(1)
  reply(2)
  vi.advanceTimersByTime(31_000)
  expect(lines).toEqual([
    'still recording  refund > late order  request 3  30 s',
    'still recording  refund > late order  request 3  60 s',
  ])
  end('passed')
  vi.advanceTimersByTime(60_000)
  endRun('passed')
  expect(lines).toHaveLength(2)
  expect(vi.getTimerCount()).toBe(0)
})

test('a test that was over before it was told of records no more', () => {
  const { lines, record, end, endRun } = start(false)
  end('passed')
  record()
  vi.advanceTimersByTime(31_000)
  endRun('interrupted')
  expect(lines).toEqual([])
})

test('at a terminal each reply is a line, and nothing repeats', () => {
  const { lines, record, reply } = start(true)
  record()
  reply(1)
  vi.advanceTimersByTime(90_000)
  expect(lines).toEqual([expect.stringContaining('recording  refund > late order  ')])
})

test('a run that was stopped says what it threw away', () => {
  const { lines, record, reply, end, endRun } = start(true)
  record()
  reply(1)
  end('skipped')
  endRun('interrupted')
  expect(lines.at(-1)).toBe(
    '[retake] stopped while recording "refund > late order", after 1 reply: nothing of it was written',
  )
})
