import { isDeepStrictEqual } from 'node:util'
import { type Cassette, type CassetteOptions, cassettePath, openCassette, resolveMode } from '@retake/session'
import { ConfigError, isRetakeError } from '@retake/trace'
import { defaultDir } from './check-options.ts'
import { finishTest } from './finish-test.ts'
import { sendProgress } from './recording-progress.ts'
import { duplicateOf, titlesOf } from './test-titles.ts'
import type { TestRun, UsedCassette, WorkerState } from './worker-state.ts'

/**
 * Opens the cassette of a test, or gives the one it has. `implicit`: its file or describe asks; such a cassette yields to
 * another choice of the test as long as nothing happened in it.
 */
export const useInTest = (state: WorkerState, run: TestRun, options: CassetteOptions, implicit = false): Cassette => {
  run.finish ??= () => finishTest(state, run)
  const used = run.cassette
  if (used) {
    const differing = differingOptions(state, run, used, options)
    if (differing.length === 0) return used.handle
    if (!used.implicit || !isUntouched(used)) throw contradiction(used, differing)

    // It has no request to wait for, so ending it takes effect before the next one opens.
    void used.session.finish('skipped')
    run.cassette = undefined
  }
  try {
    return open(state, run, { ...used?.options, ...options }, implicit)
  } catch (error) {
    // Remembered in case the test swallows it: it would go on without a cassette.
    if (isRetakeError(error)) run.refusals.push(error)
    throw error
  }
}

const open = (state: WorkerState, run: TestRun, options: CassetteOptions, implicit: boolean): Cassette => {
  const { dir: _, everyTest: _every, withoutCassette: _without, ...defaults } = state.settings.options
  const asked: CassetteOptions = { ...defaults, ...options }
  const { env, flag, ci } = state.settings
  const { path, name } = placeOf(state, run, asked.name)
  const mode = resolveMode({ env, option: asked.mode, flag, ci })
  const isRepetition = mode === 'update' && state.written.has(path) && (run.task.result?.repeatCount ?? 0) > 0
  const test = { file: run.task.file.filepath, name: run.scope.label }
  const session = openCassette(
    // A test that makes no model call has nothing to miss: a missing cassette shows at the first one.
    {
      ...asked,
      name,
      path,
      mode: isRepetition ? 'replay' : mode,
      test,
      ci,
      lazy: true,
      ...(state.settings.progress && { onReply: (reply) => sendProgress(state, run, reply) }),
    },
    run.scope,
  )
  run.cassette = { session, handle: session.cassette, options: asked, implicit }
  return session.cassette
}

const placeOf = (state: WorkerState, { task }: TestRun, name: string | undefined) =>
  cassettePath({
    testFile: task.file.filepath,
    dir: state.settings.options.dir ?? defaultDir,
    parts: titlesOf(task),
    duplicate: duplicateOf(task),
    name,
  })

/** An option that a later call does not mention stays as it was. */
const differingOptions = (state: WorkerState, run: TestRun, used: UsedCassette, later: CassetteOptions): string[] =>
  Object.entries(later).flatMap(([option, value]) => {
    if (value === undefined) return []
    const same =
      option === 'name'
        ? placeOf(state, run, later.name).path === used.session.cassette.path
        : isDeepStrictEqual(value, used.options[option as keyof CassetteOptions])
    return same ? [] : [option]
  })

const isUntouched = ({ session }: UsedCassette): boolean =>
  session.errors.length === 0 && session.cassette.trace.steps.length === 0

const contradiction = (used: UsedCassette, differing: string[]): ConfigError => {
  const why = used.implicit
    ? 'after the test had made a model call on the cassette of its file or describe'
    : 'after this test had one already'
  return new ConfigError(
    `useCassette() was called with another ${differing.join(', ')} ${why}.\n` +
      '  A test has one cassette: give the options in the first call.',
    { options: differing, cassette: used.session.cassette.path },
  )
}
