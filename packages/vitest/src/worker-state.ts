import type { Cassette, CassetteOptions, CassetteSession, Mode, TestScope } from '@retake/session'
import type { RetakeError } from '@retake/trace'
import type { beforeEach, ExpectStatic, RunnerTestCase, recordArtifact, TestRunner } from 'vitest'
import type { RetakeOptions } from './check-options.ts'

/** What the plugin tells the workers. Plain data. */
export interface ProvidedSettings {
  /** `RETAKE` of the environment. */
  env: string | undefined
  /** What the command line said. */
  flag: string | undefined
  ci: boolean
  /** Somebody watches: tell of each reply that is recorded. */
  progress: boolean
  /** What becomes of it all for a cassette that has no mode of its own. */
  mode: Mode
  options: RetakeOptions
}

declare module 'vitest' {
  interface ProvidedContext {
    retake: ProvidedSettings
  }
}

/** A cassette in use, and what was asked for. */
export interface UsedCassette {
  readonly session: CassetteSession
  readonly handle: Cassette
  readonly options: CassetteOptions & RetakeOptions
  /** True where the file or a describe asked, not the test. */
  readonly implicit: boolean
}

/** One attempt of one test. */
export interface TestRun {
  readonly task: RunnerTestCase
  readonly scope: TestScope
  /** How many entries of `task.result.errors` belong to earlier attempts. */
  readonly earlierErrors: number
  cassette?: UsedCassette | undefined
  /** Why `useCassette()` gave no cassette; remembered in case the test swallows it. */
  readonly refusals: RetakeError[]
  /** A model request that was refused because the test has no cassette. */
  refusedUrl?: string
  /** Set by the first `useCassette()`, so that a test without one loads none of the code behind it. */
  finish?: () => Promise<void>
}

/** What the setup file and `retake/vitest` share in one worker. */
export interface WorkerState {
  readonly settings: ProvidedSettings
  /** Of the Vitest that runs the tests, not of whichever copy an import would find. */
  readonly vitest: {
    readonly beforeEach: typeof beforeEach
    readonly expect: ExpectStatic
    readonly currentTest: typeof TestRunner.getCurrentTest
    readonly recordArtifact: typeof recordArtifact
  }
  phase: 'collect' | 'run'
  /** By scope: the attempts that run now. */
  readonly runs: WeakMap<TestScope, TestRun>
  /** Attempts that an automatic fixture began before the setup file saw them. */
  readonly early: WeakMap<object, TestRun>
  /** What `test.fails` would hide, by test: only its last attempt counts. */
  readonly hidden: Map<RunnerTestCase, readonly RetakeError[]>
  /** Full names of tests that failed: what they still do after that is no further failure. */
  readonly failed: Set<string>
  /** Cassettes written by this worker, so that a repetition does not record again. */
  readonly written: Set<string>
}

// The setup file is transformed by Vite, `retake/vitest` mostly is not: two copies of this module, one state.
const globals = globalThis as { [key: symbol]: unknown }
const key = Symbol.for('retake.vitest')

export const workerState = (): WorkerState | undefined => globals[key] as WorkerState | undefined

export const setWorkerState = (state: WorkerState): void => {
  globals[key] = state
}
