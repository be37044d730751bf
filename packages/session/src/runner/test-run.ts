import type { RetakeError } from '@retake/trace'
import type { Cassette, CassetteOptions, CassetteSession, Mode, TestOutcome } from '../cassette.ts'
import type { TestScope } from '../scope.ts'
import type { CassetteReport, LiveUse } from './cassette-report.ts'
import type { RetakeOptions } from './check-options.ts'

/** What the main process of a runner tells those that run tests. Plain data. */
export interface RunSettings {
  /** `RETAKE` of the environment. */
  env: string | undefined
  /** What the command line said. */
  flag: string | undefined
  ci: boolean
  /** What becomes of it all for a cassette that has no mode of its own. */
  mode: Mode
  options: RetakeOptions
}

/** One test, as its runner knows it now. */
export interface RunnerTest {
  /** Absolute path of its file. */
  readonly file: string
  /** Titles from the outermost describe to the test. */
  readonly titles: readonly string[]
  /** 1 for the first test of these titles in its file, in the order of definition, 2 for the second … */
  readonly duplicate: number
  /** This attempt repeats one that passed. */
  readonly isRepetition: boolean
  /** How the attempt ended, before retake says anything: for a test that must fail, failing is a pass. */
  readonly outcome: TestOutcome
  /** What became of its cassette, kept where the reporter of the runner finds it. */
  reports: CassetteReport[] | undefined
}

/** A cassette in use, and what was asked for. */
export interface UsedCassette {
  readonly session: CassetteSession
  readonly handle: Cassette
  readonly options: CassetteOptions & RetakeOptions
  /** True where the file or a describe asked, not the test. */
  readonly implicit: boolean
  /** What its live calls took so far. */
  live?: LiveUse
}

/** One attempt of one test. */
export interface TestRun {
  readonly test: RunnerTest
  readonly scope: TestScope
  cassette?: UsedCassette | undefined
  /** Why `useCassette()` gave no cassette; remembered in case the test swallows it. */
  readonly refusals: RetakeError[]
  /** A model request that was refused because the test has no cassette. */
  refusedUrl?: string
}

/** What the tests of one file share. */
export interface FileState {
  readonly settings: RunSettings
  /** Full names of tests that failed: what they still do after that is no further failure. */
  readonly failed: Set<string>
  /** Cassettes written by this worker, so that a repetition does not record again. */
  readonly written: Set<string>
}
