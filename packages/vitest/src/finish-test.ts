import { endTest, formatUnreached } from '@retake/session/runner'
import { presentErrors } from './present-errors.ts'
import type { TaskRun, WorkerState } from './worker-state.ts'

/**
 * Ends the cassette of one attempt and fails the attempt for what the session found wrong, even if the test swallowed
 * it. Called when everything of the attempt but the flip of `test.fails` has happened.
 */
export const finishTest = async (state: WorkerState, run: TaskRun): Promise<void> => {
  const { task } = run
  const { outcome, errors, unreached } = await endTest(state, run)
  if (task.fails) {
    // A failure that comes from the cassette is none that the author expected.
    if (errors.length > 0) state.hidden.set(task, errors)
    else state.hidden.delete(task)
    return
  }
  if (unreached > 0) addUnreached(run, unreached)
  if (errors.length > 0 && outcome !== 'skipped') throw await presentErrors(run, errors)
}

/** What failed is something else; this may be why, or what came of it. */
const addUnreached = ({ task, earlierErrors }: TaskRun, unreached: number): void => {
  const last = task.result?.errors?.slice(earlierErrors).at(-1)
  if (last) last.message += formatUnreached(unreached)
}
