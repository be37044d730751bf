import { createHash } from 'node:crypto'
import type { RetakeError } from '@retake/trace'
import type { TestOutcome } from '../cassette.ts'
import { withoutCassetteError } from '../seam/without-cassette-error.ts'
import { type CassetteReport, type LiveUse, mergeReports } from './cassette-report.ts'
import type { FileState, RunnerTest, TestRun } from './test-run.ts'

/** What retake has to say of one attempt. */
export interface TestEnd {
  outcome: TestOutcome
  /** What the session found wrong, in order, also what the test swallowed. It fails the attempt, unless that was skipped. */
  errors: RetakeError[]
  /** Recorded requests that an attempt which failed by itself did not come to. */
  unreached: number
}

/**
 * Ends the cassette of one attempt and leaves its report with the test. Called when everything of the attempt has
 * happened.
 */
export const endTest = async (state: FileState, run: TestRun): Promise<TestEnd> => {
  const { test, cassette, scope, refusedUrl } = run
  const refusals =
    refusedUrl === undefined ? run.refusals : [withoutCassetteError(scope.label, refusedUrl), ...run.refusals]
  const outcome = refusals.length > 0 ? 'failed' : test.outcome
  const result = await cassette?.session.finish(outcome)
  const errors = [...refusals, ...(result?.errors ?? [])]
  if (outcome === 'failed') state.failed.add(scope.label)
  const [refusal] = refusals
  if (result) report(state, test, { ...result, live: cassette?.live })
  else if (refusal?.details.path) report(state, test, neverOpened(refusal))
  const cause = errors[0] && causeOf(errors[0])
  const [entry] = test.reports ?? []
  if (entry && cause) entry.cause = cause
  return { outcome, errors, unreached: errors.length > 0 ? 0 : (result?.unreached ?? 0) }
}

/** The same for tests whose failures differ in nothing but the place. */
const causeOf = ({ code, details }: RetakeError): string | undefined => {
  if (code !== 'RETAKE_CASSETTE_MISMATCH') return undefined
  const { differences, tool, gave, inForce } = details
  const text = JSON.stringify([differences, tool, gave, inForce])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Counts as failed under the path it would have had. */
const neverOpened = ({ details }: RetakeError): CassetteReport => ({
  path: String(details.path),
  kind: 'failed',
  liveCalls: 0,
  replayedCalls: 0,
  unused: 0,
})

const report = (
  state: FileState,
  test: RunnerTest,
  result: Omit<CassetteReport, 'live'> & { live?: LiveUse | undefined },
): void => {
  const { path, kind, liveCalls, replayedCalls, unused, live, parent, inForce } = result
  const now = {
    path,
    kind,
    liveCalls,
    replayedCalls,
    unused,
    ...(live && { live }),
    ...(parent && { parent }),
    ...(inForce && { inForce }),
  }
  const before = test.reports?.find((entry) => entry.path === path)
  test.reports = [mergeReports(before, now)]
  if (kind === 'recorded' || kind === 'updated' || kind === 'unchanged') state.written.add(path)
}
