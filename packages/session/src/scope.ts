import { AsyncLocalStorage } from 'node:async_hooks'
import type { RetakeError } from '@retake/trace'
import type { CassetteSession } from './cassette.ts'
import { type SeamSession, shared as seam } from './seam/shared.ts'

/** One test (or one attempt of it) as the seam sees it. It travels with the async context, never as global state. */
export interface TestScope {
  /** Full name of the test, for messages. */
  readonly label: string
  /** The cassette of this test, once there is one. */
  session?: CassetteSession
  /** The same, as the seam sees it. */
  seam?: SeamSession
  /** Why its cassette could not be opened: its model requests are refused with it. */
  refusal?: RetakeError
  /** It asked for a cassette, or for none: what is said of tests without one does not concern it. */
  mayBeLive?: true
  /** Other tests of this process have no scope: what happens outside of this one is not retake's. */
  alone?: true
  /** What `Date` says in it, in milliseconds since the epoch. */
  frozenAt?: number | undefined
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

/** For undici's pooled requests only, which are written in somebody else's context. */
export const enterScope = (scope: TestScope | undefined): void => storage.enterWith(scope as TestScope)

/** The test is over: what it still starts is refused under its own name. */
export function endScope(scope: TestScope): void {
  scope.ended = true
}

/** Errors of tests that were over when they happened, once. */
export const takeLateErrors = (): RetakeError[] => seam.late.splice(0)
