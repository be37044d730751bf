import type { Trace } from '@retake/trace'
import type { AnyTool } from './cassette.ts'
import { createDoor } from './process/door.ts'
import { startAsked } from './process/launched.ts'
import { toRunEnd } from './process/process-session.ts'
import type { SessionOptions } from './process/session-settings.ts'
import type { FinishSummary } from './process/summary.ts'
import { upstreamOf } from './process/upstreams.ts'
import { checkOptions } from './runner/check-options.ts'

/** A cassette for any process, outside a test runner. */
export interface Session {
  readonly state: 'recording' | 'replaying' | 'off'
  /** For clients with a `fetch` option. */
  readonly fetch: typeof fetch
  tools<T extends Record<string, AnyTool>>(tools: T): T
  tool<F extends (...args: never[]) => unknown>(name: string, fn: F): F
  /**
   * A base URL on loopback for clients in child processes and other languages: what they ask there belongs to this
   * session. `provider` is a name (`openai`, `anthropic`, `gemini` …) or the URL that the client would use otherwise.
   *
   * @throws ConfigError for an unknown name
   */
  baseURL(provider: string): Promise<string>
  /** The run so far, v2 model. */
  readonly trace: Trace
  /**
   * Ends the run: while recording it is written, in a replay it is compared to its end. `result` is what the agent came
   * to [its last answer], `error` why it failed. A process that ends without it writes as well, and says how it ended.
   * Called again, it gives the same.
   *
   * @throws ConfigError for a result and an error together; the first error of the run
   */
  finish(end?: { result?: string; error?: unknown }): Promise<FinishSummary>
}

/**
 * Opens a cassette in any process. The model calls made with its `fetch` are recorded or replayed; the global `fetch` too,
 * as long as no other session is active.
 *
 * @throws ConfigError without a cassette path; CassetteMissingError and the errors of a broken file
 */
export function createSession(options: SessionOptions = {}): Session {
  checkOptions('createSession()', options)
  const session = startAsked(options)
  const { cassette } = session
  const { state, fetch, tools, tool } = cassette
  const door = createDoor(fetch)
  let finished: Promise<FinishSummary> | undefined
  return {
    state,
    fetch,
    tools,
    tool,
    baseURL: state === 'off' ? async (provider) => upstreamOf(provider) : door.baseURL,
    get trace() {
      return cassette.trace
    },
    async finish(end = {}) {
      const told = toRunEnd(end)
      finished ??= session.finish(told).finally(door.close)
      return finished
    },
  }
}
