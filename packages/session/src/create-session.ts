import { basename, resolve } from 'node:path'
import { ConfigError, type Trace } from '@retake/trace'
import { isCI } from 'std-env'
import type { AnyTool, CassetteOptions, CassetteResult, TestOutcome } from './cassette.ts'
import { resolveMode } from './mode.ts'
import { openCassette } from './open-cassette.ts'

export interface SessionOptions extends Omit<CassetteOptions, 'name'> {
  /** Path of the cassette file. Default: `RETAKE_CASSETTE`. */
  cassette?: string
  /** What messages call this run. Default: the name of the file. */
  label?: string
}

/** A cassette for any process, outside a test runner. */
export interface Session {
  readonly state: 'recording' | 'replaying' | 'off'
  /** For clients with a `fetch` option. */
  readonly fetch: typeof fetch
  tools<T extends Record<string, AnyTool>>(tools: T): T
  tool<F extends (...args: never[]) => unknown>(name: string, fn: F): F
  /** The run so far, v2 model. */
  readonly trace: Trace
  /**
   * Ends the run and, while recording, writes the cassette; call it once. `failed` writes nothing.
   * @throws the first error of the run
   */
  finish(outcome?: TestOutcome): Promise<CassetteResult>
}

/**
 * Opens a cassette in any process. The model calls made with its `fetch` are recorded or replayed; the global `fetch` too,
 * as long as no other session is active.
 *
 * @throws ConfigError without a cassette path; CassetteMissingError and the errors of a broken file
 */
export function createSession(options: SessionOptions = {}): Session {
  const { cassette = process.env.RETAKE_CASSETTE, label, mode, ...rest } = options
  if (!cassette) throw new ConfigError('createSession needs the path of a cassette: `{ cassette }` or RETAKE_CASSETTE')
  const path = resolve(cassette)
  const name = basename(path).replace(/(\.cassette)?\.json$/, '')
  const session = openCassette({
    ...rest,
    name,
    path,
    mode: resolveMode({ env: process.env.RETAKE, option: mode, flag: process.env.RETAKE_FLAG, ci: isCI }),
    test: { file: '', name: label ?? name },
    ci: isCI,
  })
  return {
    state: session.cassette.state,
    fetch: session.cassette.fetch,
    tools: session.cassette.tools,
    tool: session.cassette.tool,
    get trace() {
      return session.cassette.trace
    },
    async finish(outcome = 'passed') {
      const result = await session.finish(outcome)
      const [first] = result.errors
      if (first) throw first
      return result
    },
  }
}
