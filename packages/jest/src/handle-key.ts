import type { CassetteMatchers, Run } from '@retake/report/expectations'
import type { Cassette, CassetteOptions } from '@retake/session'
import type { Trace } from '@retake/trace'

/** What an environment leaves among the globals of a test file, for the code in it. */
export interface JestHandle {
  useCassette(options?: CassetteOptions): Cassette
  expectCassette(subject: Run | Trace | string): CassetteMatchers
  extendExpect(): void
}

export const handleKey = Symbol.for('retake.jest')
