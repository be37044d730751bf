import type { CassetteReport, FileState, RunSettings, TestRun } from '@retake/session/runner'
import type { TestScope } from '@retake/session/set-up'
import type { RetakeError } from '@retake/trace'
import type { beforeEach, ExpectStatic, RunnerTestCase, recordArtifact, TestRunner } from 'vitest'

/** What the plugin tells the workers. Plain data. */
export interface ProvidedSettings extends RunSettings {
  /** Tell the main process what is recorded while it is. */
  progress: boolean
  /** Columns of the terminal that the main process writes to; undefined where there is none. */
  columns?: number | undefined
}

declare module 'vitest' {
  interface ProvidedContext {
    retake: ProvidedSettings
  }
  interface TaskMeta {
    retake?: CassetteReport[]
  }
}

/** One attempt of one test. */
export interface TaskRun extends TestRun {
  readonly task: RunnerTestCase
  /** How many entries of `task.result.errors` belong to earlier attempts. */
  readonly earlierErrors: number
  /** Set by the first `useCassette()`, so that a test without one loads none of the code behind it. */
  finish?: () => Promise<void>
}

/** What the setup file and `retake/vitest` share in one worker. */
export interface WorkerState extends FileState {
  readonly settings: ProvidedSettings
  /** Of the Vitest that runs the tests, not of whichever copy an import would find. */
  readonly vitest: {
    readonly beforeEach: typeof beforeEach
    readonly expect: ExpectStatic
    readonly currentTest: typeof TestRunner.getCurrentTest
    readonly recordArtifact: typeof recordArtifact
  }
  phase: 'collect' | 'run'
  /** Set by a test file that imports `retake/vitest`: what its tests need is on its way. */
  loading?: Promise<void>
  /** By scope: the attempts that run now. */
  readonly runs: WeakMap<TestScope, TaskRun>
  /** Attempts that an automatic fixture began before the setup file saw them. */
  readonly early: WeakMap<object, TaskRun>
  /** What `test.fails` would hide, by test: only its last attempt counts. */
  readonly hidden: Map<RunnerTestCase, readonly RetakeError[]>
}

// The setup file is transformed by Vite, `retake/vitest` mostly is not: two copies of this module, one state.
const globals = globalThis as { [key: symbol]: unknown }
const key = Symbol.for('retake.vitest')

export const workerState = (): WorkerState | undefined => globals[key] as WorkerState | undefined

export const setWorkerState = (state: WorkerState): void => {
  globals[key] = state
}
