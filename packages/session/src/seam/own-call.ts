import { ConfigError } from '@retake/trace'
import { type Fetch, shared } from './shared.ts'

/** Internal: in this context `@mswjs/interceptors`, and with it MSW 3 and nock, looks away from one connection. */
interface ConnectionContext {
  run<T>(work: () => T): T
}

/** Runs what opens one connection that no library which shares the sockets should see. */
export function connectApart<T>(work: () => T): T {
  const { __MSW_INTERNAL_CONNECTION_CONTEXT: context } = globalThis as {
    __MSW_INTERNAL_CONNECTION_CONTEXT?: ConnectionContext
  }
  return context ? context.run(work) : work()
}

/**
 * A request of retake's own: none of its layers looks at it, nor does a library of the user.
 *
 * @throws ConfigError where undici's MockAgent is the global dispatcher and refuses it; else what `fetch` throws
 */
export async function fetchApart(...[input, init]: Parameters<Fetch>): Promise<Response> {
  try {
    return await shared.way.run('retake', () => connectApart(() => shared.originalFetch.call(globalThis, input, init)))
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } }
    if (cause?.code !== 'UND_MOCK_ERR_MOCK_NOT_MATCHED') throw error
    const { host } = new URL(input instanceof Request ? input.url : input)
    throw new ConfigError(
      `undici's MockAgent is the global dispatcher, and lets no request to ${host} be recorded\n` +
        `  Let it pass: mockAgent.enableNetConnect('${host}'). A replay with the global fetch needs nothing.`,
      { host },
    )
  }
}
