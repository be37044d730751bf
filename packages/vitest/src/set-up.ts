import {
  createAllowance,
  endScope,
  installSeam,
  runInScope,
  setPlaceholderAwsKey,
  setPlaceholderKeys,
  takeLateErrors,
  watchOutside,
} from '@retake/session/set-up'
import { aroundAll, aroundEach, beforeEach, expect, inject, recordArtifact, TestRunner } from 'vitest'
import { createRun } from './task-run.ts'
import { type ProvidedSettings, setWorkerState, type TaskRun, type WorkerState, workerState } from './worker-state.ts'

type UseInTask = typeof import('./late.ts').useInTask

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
    watchOutside(forbidsLive(settings) ? createRefusals(settings) : undefined)
    // Clients are made when their module is imported, long before it is known that a replay needs no key.
    setPlaceholderKeys()
    if (settings.mode !== 'update') setPlaceholderAwsKey()
  }

  const state: WorkerState = {
    settings,
    vitest: { beforeEach, expect, currentTest: () => TestRunner.getCurrentTest(), recordArtifact },
    phase: 'collect',
    runs: new WeakMap(),
    early: new WeakMap(),
    hidden: new Map(),
    failed: new Set(),
    written: new Set(),
  }
  setWorkerState(state)

  const everyTest = settings.options.everyTest
  let useInTask: UseInTask | undefined
  // One hook in place of beforeAll and afterAll: of each of those Vitest tells its main process twice a file.
  aroundAll(async (runTests) => {
    state.phase = 'run'
    if (everyTest) ({ useInTask } = await import('./late.ts'))
    await state.loading
    await runTests()
    const late = takeLateErrors().filter(({ details }) => !state.failed.has(String(details.test)))
    if (state.hidden.size === 0 && late.length === 0) return
    const { presentFileErrors } = await import('./late.ts')
    throw await presentFileErrors(state.hidden, late)
  }, finishTimeout)

  aroundEach(async (runTest, { task }) => {
    const run = state.early.get(task) ?? createRun(state, task)
    state.early.delete(task)
    try {
      await runInScope(run.scope, () => {
        if (useInTask && !run.cassette) useImplicitly(useInTask, state, run)
        return runTest()
      })
    } finally {
      try {
        await run.finish?.()
      } finally {
        endScope(run.scope)
      }
    }
  }, finishTimeout)
}

/** What is wrong with the cassette fails the test at its end; the hook must not fail instead. */
const useImplicitly = (useInTask: UseInTask, state: WorkerState, run: TaskRun): void => {
  try {
    useInTask(state, run, {}, true)
  } catch (error) {
    if (!run.refusals.some((refusal) => refusal === error)) throw error
  }
}

/** Are model calls without a cassette an error? */
const forbidsLive = ({ options, ci }: ProvidedSettings): boolean =>
  (options.withoutCassette ?? (ci ? 'error' : 'allow')) === 'error'

const createRefusals = ({ options }: ProvidedSettings): Parameters<typeof watchOutside>[0] => ({
  load: async () => (await import('./late.ts')).startSeam(),
  allows: createAllowance(options.allow).url,
  refused(scope, url) {
    const state = workerState()
    const run = state?.runs.get(scope)
    if (!state || !run) return
    run.refusedUrl ??= url
    run.finish ??= async () => (await import('./late.ts')).finishTest(state, run)
  },
})
