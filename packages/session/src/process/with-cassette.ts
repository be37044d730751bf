import { basename, resolve } from 'node:path'
import { ConfigError, type RetakeError } from '@retake/trace'
import { isCI } from 'std-env'
import { setPlaceholders } from '../api-keys.ts'
import type { Cassette, CassetteOptions } from '../cassette.ts'
import { cassettePath } from '../cassette-path.ts'
import { resolveMode, wantsReview } from '../mode.ts'
import { openCassette } from '../open-cassette.ts'
import { checkOptions } from '../runner/check-options.ts'
import { createScope, endScope, runInScope } from '../scope.ts'
import { createDoor } from './door.ts'
import { type MochaContext, type NodeTestContext, type TestPlace, toTestPlace } from './test-context.ts'
import { upstreamOf } from './upstreams.ts'

/** Options of `withCassette`. */
export interface WithCassetteOptions extends CassetteOptions {
  /** Path of the cassette file, instead of the one made of the test. */
  cassette?: string
  /** Folder of the cassettes, beside the test file. [__cassettes__] */
  dir?: string
  /** An update does not replace the cassette: it waits beside it, as a take, to be accepted. [false] */
  review?: boolean
}

/** What `withCassette` gives a test. */
export interface TestCassette extends Cassette {
  /** As that of a session: for agents in child processes and other languages. */
  baseURL(provider: string): Promise<string>
}

type Work<T> = (cassette: TestCassette) => T | Promise<T>

/** Which test has which path, to tell two tests of one name. */
const owners = new Map<string, TestPlace>()

/**
 * Gives a test its cassette, in a runner that retake has no integration with. `context` is what the runner gives the test:
 * the argument of a test of `node:test`, or `this` in one of Mocha. The model calls that `work` makes are recorded, or
 * replayed from `__cassettes__/<test file>/<titles>.cassette.json`. The recording is written when `work` has succeeded.
 *
 * @returns what `work` gives
 * @throws what `work` throws; the first thing that was wrong with the cassette, also what the agent swallowed;
 *   ConfigError for no context, and for two tests of one name; CassetteMissingError and the errors of a broken file
 */
export async function withCassette<T>(context: NodeTestContext | MochaContext, work: Work<T>): Promise<T>
export async function withCassette<T>(
  context: NodeTestContext | MochaContext,
  options: WithCassetteOptions,
  work: Work<T>,
): Promise<T>
export async function withCassette<T>(
  context: NodeTestContext | MochaContext,
  ...rest: [Work<T>] | [WithCassetteOptions, Work<T>]
): Promise<T> {
  const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest
  checkOptions('withCassette()', options)
  const { cassette: given, dir = '__cassettes__', mode: option, ...others } = options
  const place = toTestPlace(context)
  const { path, name } = given ? fileOf(given) : pathOf(place, dir, others.name)
  refuseSecondTest(path, place)
  const mode = resolveMode({ env: process.env.RETAKE, option, flag: process.env.RETAKE_FLAG, ci: isCI })
  const label = place.titles.join(' > ')
  // Other tests of the process know nothing of retake.
  const scope = { ...createScope(label), alone: true as const }
  const session = openCassette(
    {
      ...others,
      review: others.review ?? wantsReview(process.env.RETAKE_FLAG),
      name,
      path,
      mode,
      ci: isCI,
      test: { file: place.file, name: label },
      again: 'Run it once with RETAKE=update.',
    },
    scope,
  )
  const { cassette } = session
  if (cassette.state === 'replaying') setPlaceholders()
  const door = createDoor(cassette.fetch)
  const baseURL = cassette.state === 'off' ? async (provider: string) => upstreamOf(provider) : door.baseURL
  const handle = Object.create(cassette, { baseURL: { value: baseURL, enumerable: true } }) as TestCassette
  let value: T
  try {
    value = await runInScope(scope, async () => work(handle))
  } catch (error) {
    endScope(scope)
    const { errors } = await session.finish('failed')
    // What went wrong with the cassette is the reason for what the agent made of it.
    throw errors[0] ? withoutDetails(errors[0]) : error
  } finally {
    door.close()
  }
  endScope(scope)
  const { errors } = await session.finish('passed')
  if (errors[0]) throw withoutDetails(errors[0])
  return value
}

/** Runners print all members of an error: two whole requests would hide the message, which has their differences. */
const withoutDetails = (error: RetakeError): RetakeError =>
  Object.defineProperty(error, 'details', { enumerable: false })

const fileOf = (cassette: string): { path: string; name: string } => ({
  path: resolve(cassette),
  name: basename(cassette).replace(/(\.cassette)?\.json$/, ''),
})

function pathOf({ folder, titles }: TestPlace, dir: string, name: string | undefined): { path: string; name: string } {
  if (folder) return cassettePath({ testFile: folder, dir, parts: titles, duplicate: 1, name })
  throw new ConfigError('withCassette cannot tell the file of this test; give the path as `{ cassette }`')
}

/** A second test of the same name would replay what the first recorded. */
function refuseSecondTest(path: string, place: TestPlace): void {
  const { file, titles, test, run, isRetry } = place
  const owner = owners.get(path)
  if (owner === undefined || owner.test === test || owner.run !== run || isRetry) {
    owners.set(path, place)
    return
  }
  throw new ConfigError(
    `two tests have the same cassette: "${titles.join(' > ')}" in ${basename(file)}\n  cassette  ${path}\n` +
      '  Give one of them another title, or a `name`.',
    { path },
  )
}
