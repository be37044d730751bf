import { AsyncLocalStorage } from 'node:async_hooks'
import type { CassetteSession } from './cassette.ts'

/** One test (or one attempt of it) as the seam sees it. It travels with the async context, never as global state. */
export interface TestScope {
  /** Full name of the test, for messages. */
  readonly label: string
  /** The cassette of this test, once there is one. */
  session?: CassetteSession
  /** True when the test is over: requests that start later belong to nobody. */
  ended: boolean
}

// One store a process, also where a bundler or a test runner loads this file twice.
const shared = globalThis as { [key: symbol]: unknown }
const key = Symbol.for('retake.scope')
shared[key] ??= new AsyncLocalStorage<TestScope>()
const storage = shared[key] as AsyncLocalStorage<TestScope>

export const createScope = (label: string): TestScope => ({ label, ended: false })

export const runInScope = <T>(scope: TestScope, work: () => T): T => storage.run(scope, work)

export const currentScope = (): TestScope | undefined => storage.getStore()
