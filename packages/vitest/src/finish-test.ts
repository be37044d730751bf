import { createHash } from 'node:crypto'
import { type TestOutcome, withoutCassetteError } from '@retake/session'
import type { RetakeError } from '@retake/trace'
import type { RunnerTestCase } from 'vitest'
import { type CassetteReport, mergeReports } from './cassette-report.ts'
import { presentErrors } from './present-errors.ts'
import type { TestRun, WorkerState } from './worker-state.ts'

/**
 * Ends the cassette of one attempt and fails the attempt for what the session found wrong, even if the test swallowed
 * it. Called when everything of the attempt but the flip of `test.fails` has happened.
 */
export const finishTest = async (state: WorkerState, run: TestRun): Promise<void> => {
  const { task, cassette, scope, refusedUrl } = run
  const refusals =
    refusedUrl === undefined ? run.refusals : [withoutCassetteError(scope.label, refusedUrl), ...run.refusals]
  const outcome = refusals.length > 0 ? 'failed' : outcomeOf(task)
  const result = await cassette?.session.finish(outcome)
  const errors = [...refusals, ...(result?.errors ?? [])]
  if (outcome === 'failed') state.failed.add(run.scope.label)
  const [refusal] = refusals
  if (result) report(state, task, result)
  else if (refusal?.details.path) report(state, task, neverOpened(refusal))
  const cause = errors[0] && causeOf(errors[0])
  const [entry] = task.meta.retake ?? []
  if (entry && cause) entry.cause = cause

  if (task.fails) {
    // A failure that comes from the cassette is none that the author expected.
    if (errors.length > 0) state.hidden.set(task, errors)
    else state.hidden.delete(task)
    return
  }
  if (errors.length > 0 && outcome !== 'skipped') throw await presentErrors(run, errors)
}

/** Whether what happened counts as a pass: for a test that must fail, failing does. */
const outcomeOf = ({ result, fails }: RunnerTestCase): TestOutcome => {
  const { state, pending } = (result ?? {}) as { state?: string; pending?: boolean }
  if (state === 'skip' || pending) return 'skipped'
  const wanted = fails ? 'fail' : 'pass'
  return state === wanted ? 'passed' : 'failed'
}

const causeOf = ({ code, details }: RetakeError): string | undefined =>
  code === 'RETAKE_CASSETTE_MISMATCH'
    ? createHash('sha256').update(JSON.stringify(details.differences)).digest('hex').slice(0, 16)
    : undefined

/** Counts as failed under the path it would have had. */
const neverOpened = ({ details }: RetakeError): CassetteReport => ({
  path: String(details.path),
  kind: 'failed',
  liveCalls: 0,
  replayedCalls: 0,
  unused: 0,
})

const report = (state: WorkerState, task: RunnerTestCase, result: CassetteReport): void => {
  const { path, kind, liveCalls, replayedCalls, unused } = result
  const before = task.meta.retake?.find((entry) => entry.path === path)
  task.meta.retake = [mergeReports(before, { path, kind, liveCalls, replayedCalls, unused })]
  if (kind === 'recorded' || kind === 'updated' || kind === 'unchanged') state.written.add(path)
}
