import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Cassette,
  type CassetteOptions,
  type CassetteResult,
  createScope,
  endScope,
  openCassette,
  runInScope,
  type TestOutcome,
} from '@retake/session'

export interface TestRun<T> {
  value: T
  result: CassetteResult
  cassette: Cassette
}

/** What a runner does around one test that uses a cassette. Throws what the test throws; the result tells the rest. */
export async function inTest<T>(
  path: string,
  options: CassetteOptions & { outcome?: TestOutcome; label?: string },
  body: (cassette: Cassette) => Promise<T>,
): Promise<TestRun<T>> {
  const { outcome, label = 'a test', mode = 'auto', ...rest } = options
  const scope = createScope(label)
  const session = openCassette(
    { ...rest, name: label, path, mode, ci: false, test: { file: 'agent.test.ts', name: label } },
    scope,
  )
  try {
    const value = await runInScope(scope, () => body(session.cassette))
    endScope(scope)
    return { value, result: await session.finish(outcome ?? 'passed'), cassette: session.cassette }
  } catch (error) {
    endScope(scope)
    await session.finish('failed')
    throw error
  }
}

/** A cassette path in a folder of its own, removed when the test is over. */
export async function temporaryCassette(name = 'agent'): Promise<AsyncDisposable & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'retake-'))
  return {
    path: join(folder, '__cassettes__', 'agent.test.ts', `${name}.cassette.json`),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
