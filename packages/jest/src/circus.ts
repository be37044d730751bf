/** What retake uses of jest-circus and of environments; Jest 29 and 30 agree on it. */

export type CircusFunction = (this: unknown, ...args: never[]) => unknown

export interface CircusTest {
  type: 'test'
  name: string
  parent: CircusBlock
  fn?: CircusFunction | undefined
  concurrent: boolean
  failing: boolean
  /** Made where the test is defined. */
  asyncError?: { stack?: string }
  /** What went wrong in this attempt, or that and where the test was defined. */
  errors: unknown[]
}

export interface CircusHook {
  type: 'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll'
  fn: CircusFunction
}

export interface CircusBlock {
  type: 'describeBlock'
  name: string
  /** Undefined for the block of the file. */
  parent?: CircusBlock | undefined
  children: (CircusBlock | CircusTest)[]
  hooks: CircusHook[]
}

export interface CircusState {
  rootDescribeBlock: CircusBlock
  currentlyRunningTest?: CircusTest | null | undefined
  /** Milliseconds. */
  testTimeout: number
  unhandledErrors: unknown[]
}

/** The globals of a test file, where nobody has put them in place yet. */
export interface CircusGlobals {
  beforeEach(fn: () => void): void
  expect: JestExpect
}

export interface JestExpect {
  (value: unknown): { not: unknown; toMatchSnapshot(hint: string): void }
  // biome-ignore lint/suspicious/noExplicitAny: as Jest declares it
  extend(matchers: Record<string, (this: any, received: any, ...args: any[]) => any>): void
  getState(): {
    /** Jest 30: the test of this async context. */
    currentTestIdentity?: () => unknown
  }
}

export type CircusEvent =
  | { name: 'setup'; runtimeGlobals: CircusGlobals }
  | { name: 'run_start' | 'run_finish' }
  | { name: 'test_start' | 'test_skip' | 'test_todo' | 'test_done'; test: CircusTest }

type Others = { name: 'others' }

export type CircusHandler = (event: CircusEvent | Others, state: CircusState) => void | Promise<void>

/** As much of Jest's configuration as is read. */
export interface EnvironmentConfig {
  globalConfig: {
    ci: boolean
    testTimeout?: number | undefined
    updateSnapshot?: string
  }
  projectConfig: {
    rootDir: string
    testTimeout?: number | undefined
    testEnvironmentOptions: Record<string, unknown>
  }
}

export interface EnvironmentContext {
  /** Absolute path of the test file. */
  testPath: string
}

export interface Environment {
  global: object
  setup(): Promise<void>
  teardown(): Promise<void>
  handleTestEvent?: CircusHandler
}
