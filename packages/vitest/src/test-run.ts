import { createScope, currentScope } from '@retake/session/set-up'
import type { RunnerTestCase } from 'vitest'
import { titlesOf } from './test-titles.ts'
import type { TestRun, WorkerState } from './worker-state.ts'

/** Begins one attempt of a test. */
export const createRun = (state: WorkerState, task: RunnerTestCase): TestRun => {
  const run: TestRun = {
    task,
    scope: createScope(titlesOf(task).join(' > ')),
    earlierErrors: task.result?.errors?.length ?? 0,
    refusals: [],
  }
  state.runs.set(run.scope, run)
  return run
}

/** The attempt that the caller runs in. */
export const currentRun = (state: WorkerState): TestRun | undefined => {
  const scope = currentScope()
  if (scope) return state.runs.get(scope)

  // Vitest sets automatic fixtures up before the hook that brings the scope. Without concurrency there is no doubt.
  const task = state.vitest.currentTest()
  if (task?.type !== 'test' || task.concurrent) return undefined
  const early = state.early.get(task) ?? createRun(state, task)
  state.early.set(task, early)
  return early
}
