import type { Cassette, CassetteOptions } from '@retake/session'
import { useInTest } from '@retake/session/runner'
import { finishTest } from './finish-test.ts'
import { sendProgress } from './send-progress.ts'
import { siblingsOf } from './task-test.ts'
import type { TaskRun, WorkerState } from './worker-state.ts'

/** Opens the cassette of a test, or gives the one it has; and ends it with the test. */
export const useInTask = (state: WorkerState, run: TaskRun, options: CassetteOptions, implicit = false): Cassette => {
  run.finish ??= () => finishTest(state, run)
  const isNew = run.cassette === undefined
  const onReply = state.settings.progress ? sendProgress.bind(undefined, state, run) : undefined
  const cassette = useInTest(state, run, { options, implicit, onReply, siblings: () => siblingsOf(run.task) })
  if (isNew && cassette.state === 'recording' && onReply) onReply()
  return cassette
}
