import { createScope, currentScope } from '@retake/session/set-up'
import type { RunnerTestCase } from 'vitest'
import { toRunnerTest } from './task-test.ts'
import type { TaskRun, WorkerState } from './worker-state.ts'

/** Begins one attempt of a test. */
export const createRun = (state: WorkerState, task: RunnerTestCase): TaskRun => {
  const test = toRunnerTest(task)
  const run: TaskRun = {
    task,
    test,
    scope: createScope(test.titles.join(' > ')),
    earlierErrors: task.result?.errors?.length ?? 0,
    refusals: [],
  }
  state.runs.set(run.scope, run)
  return run
}

/** The attempt that the caller runs in. */
export const currentRun = (state: WorkerState): TaskRun | undefined => {
  const scope = currentScope()
  if (scope) return state.runs.get(scope)

  // Vitest sets automatic fixtures up before the hook that brings the scope. Without concurrency there is no doubt.
  const task = state.vitest.currentTest()
  if (task?.type !== 'test' || task.concurrent) return undefined
  const early = state.early.get(task) ?? createRun(state, task)
  state.early.set(task, early)
  return early
}
