import { createRequire } from 'node:module'
import type { CassetteMatchers } from '@retake/report/expectations'
import type { Cassette, CassetteOptions } from '@retake/session'
import { ConfigError, type Trace } from '@retake/trace'
import { handleKey, type JestHandle } from './handle-key.ts'

type WithRetake = typeof import('./with-retake.ts').withRetake

/** What the environment has left for this test file; undefined where it is not active. */
export const findHandle = (): JestHandle | undefined => (globalThis as { [handleKey]?: JestHandle })[handleKey]

const handle = (call: string): JestHandle => {
  const found = findHandle()
  if (found) return found
  throw new ConfigError(
    `${call} needs the environment of retake, and it is not active here.\n` +
      "  Add it to the Jest config: testEnvironment: 'retake/jest/node', or 'retake/jest/jsdom'.\n" +
      "  With an environment of your own: withRetake(MyEnvironment), from 'retake/jest'.",
  )
}

/**
 * Gives the test its cassette: the model calls it makes from here on are recorded, or replayed from the file. In a test
 * and in its hooks it is the cassette of that test. At file or describe level every test below gets its own, and the
 * returned handle stands for the cassette of whichever test uses it.
 *
 * @throws ConfigError for a call outside of tests, without the environment, or that contradicts an earlier one
 * @throws CassetteMissingError, CassetteCorruptError, CassetteConflictError, CassetteVersionError at once
 */
export const useCassette = (options: CassetteOptions = {}): Cassette => handle('useCassette()').useCassette(options)

/**
 * Expectations about the run of a cassette so far, about a trace, or about the cassette file at a path.
 *
 * @throws ConfigError without the environment, for a cassette that is off, and where the file cannot be read
 * @throws CassetteCorruptError, CassetteConflictError, CassetteVersionError for a file that is no cassette
 */
export const expectCassette = (subject: Cassette | Trace | string): CassetteMatchers =>
  handle('expectCassette()').expectCassette(subject)

/**
 * An environment of Jest in which tests have cassettes: `module.exports = withRetake(MyEnvironment)`. For the file of
 * the environment, which Jest loads outside of the tests.
 */
export const withRetake: WithRetake = (Environment) => load().withRetake(Environment)

/** Not before it is needed: in a test it cannot be loaded. */
const load = (): { withRetake: WithRetake } => createRequire(import.meta.url)('./jest-environment.mjs')
