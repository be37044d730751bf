import { type JsonValue, type Trace, TraceRecorder, type TraceStepType } from '@retake/trace'
import { afterAll, beforeAll, expect } from 'vitest'
import { loadLate } from '../src/load-late.ts'
import { setWorkerState, type WorkerState } from '../src/worker-state.ts'

/** Tests of the file may call the matchers, as under the plugin. */
export const setUpMatchers = (): void => {
  beforeAll(async () => {
    await loadLate()
    setWorkerState({ vitest: { expect, currentTest: () => undefined } } as unknown as WorkerState)
  })
  afterAll(() => {
    setWorkerState(undefined as unknown as WorkerState)
  })
}

export const runOf = (...steps: [TraceStepType, JsonValue][]): Trace => {
  const recorder = new TraceRecorder({ id: 'run_1', createdAt: 1_700_000_000_000 })
  for (const [index, [type, payload]] of steps.entries()) recorder.append(type, payload, 1_700_000_000_000 + index)
  return recorder.toTrace()
}

/** What a matcher throws. */
export const failure = (work: () => void): Error & { actual?: unknown; expected?: unknown } => {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new TypeError('it did not fail')
}
