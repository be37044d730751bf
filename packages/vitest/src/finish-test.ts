import { endTest } from '@retake/session/runner'
import { presentErrors } from './present-errors.ts'
import type { TaskRun, WorkerState } from './worker-state.ts'

/**
 * Ends the cassette of one attempt and fails the attempt for what the session found wrong, even if the test swallowed
 * it. Called when everything of the attempt but the flip of `test.fails` has happened.
 */
export const finishTest = async (state: WorkerState, run: TaskRun): Promise<void> => {
  const { task } = run
  const { outcome, errors } = await endTest(state, run)
  if (task.fails) {
    // A failure that comes from the cassette is none that the author expected.
    if (errors.length > 0) state.hidden.set(task, errors)
    else state.hidden.delete(task)
    return
  }
  if (errors.length > 0 && outcome !== 'skipped') throw await presentErrors(run, errors)
}
