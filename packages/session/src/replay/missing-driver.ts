import type { RetakeError } from '@retake/trace'
import type { Driver, DriverContext, Ending } from '../driver.ts'
import type { CassetteMissingError } from '../errors.ts'

/** For a test that may need no cassette: only a request, or a wrapped tool, misses it. */
export function createMissingDriver(context: DriverContext, error: CassetteMissingError): Driver {
  const finish = (errors: readonly RetakeError[]): Ending => ({
    kind: errors.length > 0 ? 'failed' : 'discarded',
    unused: 0,
  })
  return {
    answer: async (request) => context.refuse(request, error),
    answerHttp: async (request) => context.refuseHttp(request, error),
    callTool() {
      context.fail(error)
      throw error
    },
    trace: () => ({ version: 2, id: 'missing', createdAt: 0, steps: [] }),
    extras: () => [],
    calls: () => ({ live: 0, replayed: 0 }),
    finish,
    finishAtExit: finish,
  }
}
