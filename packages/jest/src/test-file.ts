import type { CassetteReport, FileState, RunnerTest, RunSettings, TestRun } from '@retake/session/runner'
import { createScope, currentScope, type TestScope } from '@retake/session/set-up'
import type { CircusGlobals, CircusTest } from './circus.ts'
import { titlesOf } from './file-tests.ts'
import type { RecordingProgress } from './recording-progress.ts'

/** One attempt of one test. */
export interface JestRun extends TestRun {
  readonly circus: CircusTest
  /** While it is recorded, and somebody waits. */
  progress?: RecordingProgress | undefined
}

/** What a test reported whose cassette did not fit. */
export interface Mismatch {
  error: Error
  /** Its first line. */
  what: string
  /** Equal for tests that differ in the same way. */
  cause: string
}

/** What is known of one test file while it runs. */
export interface TestFile extends FileState {
  /** Absolute path. */
  readonly path: string
  /** `Error` of the test file, which is not that of this process. */
  readonly Error: ErrorConstructor
  /** Once Jest has made them. */
  globals?: CircusGlobals
  phase: 'collect' | 'run'
  /** For each test 1, or 2 for the second of the same titles … */
  duplicates: ReadonlyMap<CircusTest, number>
  /** The attempts that run now. */
  readonly runs: Map<CircusTest, JestRun>
  readonly byScope: WeakMap<TestScope, JestRun>
  readonly reports: Map<CircusTest, CassetteReport[]>
  /** What the last attempts of tests reported, where their cassettes did not fit. */
  readonly mismatches: Map<CircusTest, Mismatch>
  /** Tests that ran to their end. */
  readonly done: Set<CircusTest>
}

export const createTestFile = (path: string, settings: RunSettings, realm: { Error: ErrorConstructor }): TestFile => ({
  path,
  settings,
  Error: realm.Error,
  phase: 'collect',
  duplicates: new Map(),
  runs: new Map(),
  byScope: new WeakMap(),
  reports: new Map(),
  mismatches: new Map(),
  done: new Set(),
  failed: new Set(),
  written: new Set(),
})

/** The attempt of a test that runs now, or the beginning of one. */
export const runOf = (file: TestFile, circus: CircusTest): JestRun => {
  const known = file.runs.get(circus)
  if (known) return known
  const test = toRunnerTest(file, circus)
  const run: JestRun = { circus, test, scope: createScope(test.titles.join(' > ')), refusals: [] }
  file.runs.set(circus, run)
  file.byScope.set(run.scope, run)
  return run
}

/** The attempt that the caller runs in. */
export const currentRun = (file: TestFile): JestRun | undefined => {
  const scope = currentScope()
  return scope && file.byScope.get(scope)
}

const toRunnerTest = (file: TestFile, test: CircusTest): RunnerTest => ({
  file: file.path,
  titles: titlesOf(test),
  get duplicate() {
    return file.duplicates.get(test) ?? 1
  },
  isRepetition: false,
  get outcome() {
    return test.errors.length === 0 ? 'passed' : 'failed'
  },
  get reports() {
    return file.reports.get(test)
  },
  set reports(reports) {
    if (reports) file.reports.set(test, reports)
  },
})
