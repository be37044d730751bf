export { type CassetteReport, type LiveUse, mergeReports } from './cassette-report.ts'
export { checkOptions, defaultDir, type RetakeOptions } from './check-options.ts'
export { concludeRun, createPlaces, listObsolete } from './conclude-run.ts'
export { endTest, type TestEnd } from './end-test.ts'
export {
  formatUnreached,
  type RunnerError,
  sortRunnerErrors,
  toCause,
  toShownCause,
  withFramesOf,
  withoutOwnFrames,
} from './failure.ts'
export { type CassetteFolder, hasCassettes } from './find-cassettes.ts'
export { requireNode } from './node-floor.ts'
export type { ObsoleteCassette } from './obsolete-cassettes.ts'
export { markUsed, type RanFile, type RanTest, toRanTests } from './ran-files.ts'
export { recordAgain } from './record-again.ts'
export { findNotices, type RecordingNotices } from './recording-notices.ts'
export { createSharedHandle } from './shared-handle.ts'
export { isRunAwaited, type ToldRun, tellRun } from './tell-run.ts'
export type { FileState, RunnerTest, RunSettings, TestRun, UsedCassette } from './test-run.ts'
export { type UseInTest, useInTest } from './use-in-test.ts'
