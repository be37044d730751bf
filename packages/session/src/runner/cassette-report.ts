import type { CassetteResult } from '../cassette.ts'

/** What became of one cassette of a test. Plain data: it crosses to the main process and reports. */
export interface CassetteReport {
  path: string
  kind: CassetteResult['kind']
  liveCalls: number
  replayedCalls: number
  unused: number
  /** Of one that failed: equal for tests that failed with the same difference to their cassettes. */
  cause?: string
}

const written = new Set<CassetteReport['kind']>(['recorded', 'updated', 'unchanged'])

/**
 * The report of one more attempt or repetition of the same test. The last one decides, but a repetition that replays
 * what the first one wrote was still a recording, and calls that were made stay made.
 */
export const mergeReports = (before: CassetteReport | undefined, now: CassetteReport): CassetteReport => ({
  ...now,
  kind: before && now.kind === 'replayed' && written.has(before.kind) ? before.kind : now.kind,
  liveCalls: now.liveCalls + (before?.liveCalls ?? 0),
})
