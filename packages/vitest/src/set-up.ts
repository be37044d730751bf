import {
  endScope,
  installSeam,
  runInScope,
  setPlaceholderAwsKey,
  setPlaceholderKeys,
  takeLateErrors,
} from '@retake/session/set-up'
import { afterAll, aroundEach, beforeAll, beforeEach, expect, inject, TestRunner } from 'vitest'
import { createRun } from './test-run.ts'
import { setWorkerState, type WorkerState } from './worker-state.ts'

// How long the end of a test may take: writing a file, reading the rest of a reply. Not the user's hook time-out.
const finishTimeout = 60_000

/**
 * Prepares one test file. Runs before each, also the many without a cassette: keep it small, and import only what is in
 * the list of test/set-up-cost.test.ts. A function, since a worker that keeps its modules evaluates only the setup file
 * itself anew.
 */
export const setUp = (): void => {
  const settings = inject('retake')
  if (settings.mode !== 'off') {
    installSeam()
    // Clients are made when their module is imported, long before it is known that a replay needs no key.
    setPlaceholderKeys()
    if (settings.mode !== 'update') setPlaceholderAwsKey()
  }

  const state: WorkerState = {
    settings,
    vitest: { beforeEach, expect, currentTest: () => TestRunner.getCurrentTest() },
    phase: 'collect',
    runs: new WeakMap(),
    early: new WeakMap(),
    hidden: new Map(),
    failed: new Set(),
    written: new Set(),
  }
  setWorkerState(state)

  beforeAll(() => {
    state.phase = 'run'
  })

  afterAll(async () => {
    const late = takeLateErrors().filter(({ details }) => !state.failed.has(String(details.test)))
    if (state.hidden.size === 0 && late.length === 0) return
    const { presentFileErrors } = await import('./present-errors.ts')
    throw await presentFileErrors(state.hidden, late)
  }, finishTimeout)

  aroundEach(async (runTest, { task }) => {
    const run = state.early.get(task) ?? createRun(state, task)
    state.early.delete(task)
    try {
      await runInScope(run.scope, runTest)
    } finally {
      try {
        await run.finish?.()
      } finally {
        endScope(run.scope)
      }
    }
  }, finishTimeout)
}
