import { isDeepStrictEqual } from 'node:util'
import { ConfigError, isRetakeError } from '@retake/trace'
import type { Cassette, CassetteOptions, RecordedReply } from '../cassette.ts'
import { cassettePath } from '../cassette-path.ts'
import { resolveMode, wantsReview } from '../mode.ts'
import { openCassette } from '../open-cassette.ts'
import { addLiveUse } from './cassette-report.ts'
import { defaultDir } from './check-options.ts'
import { toShownCause } from './failure.ts'
import type { FileState, RunnerTest, TestRun, UsedCassette } from './test-run.ts'

export interface UseInTest {
  options: CassetteOptions
  /** Its file or describe asks; such a cassette yields to another choice of the test as long as nothing happened in it. */
  implicit?: boolean
  onReply?: ((reply: RecordedReply) => void) | undefined
  /** The command that records its file again, where it is not Vitest's. */
  again?: string
  /** The other tests of its file. */
  siblings?: () => readonly Pick<RunnerTest, 'titles' | 'duplicate'>[]
}

/** Opens the cassette of a test, or gives the one it has. */
export const useInTest = (state: FileState, run: TestRun, use: UseInTest): Cassette => {
  const used = run.cassette
  if (used) {
    const differing = differingOptions(state, run, used, use.options)
    if (differing.length === 0) return used.handle
    if (!used.implicit || !isUntouched(used)) throw contradiction(used, differing)

    // It has no request to wait for, so ending it takes effect before the next one opens.
    void used.session.finish('skipped')
    run.cassette = undefined
  }
  try {
    return open(state, run, { ...use, options: { ...used?.options, ...use.options } })
  } catch (error) {
    if (isRetakeError(error)) {
      // Remembered in case the test swallows it: it would go on without a cassette.
      run.refusals.push(error)
      if (error.cause !== undefined) error.cause = toShownCause(error.cause)
    }
    throw error
  }
}

const open = (state: FileState, run: TestRun, use: UseInTest): Cassette => {
  const { options, implicit = false, onReply, again, siblings } = use
  const {
    dir: _dir,
    everyTest: _everyTest,
    withoutCassette: _withoutCassette,
    updateWithSnapshots: _updateWithSnapshots,
    review = false,
    ...defaults
  } = state.settings.options
  const asked: CassetteOptions = { ...defaults, ...options }
  const { env, flag, ci } = state.settings
  const { path, name } = placeOf(state, run.test, asked.name)
  const mode = resolveMode({ env, option: asked.mode, flag, ci })
  const isWritten = mode === 'update' && state.written.has(path) && run.test.isRepetition
  const session = openCassette(
    // A test that makes no model call has nothing to miss: a missing cassette shows at the first one.
    {
      ...asked,
      name,
      path,
      mode: isWritten ? 'replay' : mode,
      test: { file: run.test.file, name: run.scope.label },
      ci,
      lazy: true,
      review: review || wantsReview(flag),
      onReply(reply) {
        const { tokens, duration } = reply
        used.live = addLiveUse(used.live, { replies: 1, ...(tokens && { tokens }), duration })
        onReply?.(reply)
      },
      ...(again !== undefined && { again }),
      ...(siblings && {
        others: () => siblings().map((test) => placeOf(state, { ...test, file: run.test.file }, undefined).path),
      }),
    },
    run.scope,
  )
  const used: UsedCassette = { session, handle: session.cassette, options: asked, implicit }
  run.cassette = used
  return session.cassette
}

const placeOf = (state: FileState, { file, titles, duplicate }: Titled, name: string | undefined) =>
  cassettePath({ testFile: file, dir: state.settings.options.dir ?? defaultDir, parts: titles, duplicate, name })

type Titled = Pick<RunnerTest, 'file' | 'titles' | 'duplicate'>

/** An option that a later call does not mention stays as it was. */
const differingOptions = (state: FileState, run: TestRun, used: UsedCassette, later: CassetteOptions): string[] =>
  Object.entries(later).flatMap(([option, value]) => {
    if (value === undefined) return []
    const same =
      option === 'name'
        ? placeOf(state, run.test, later.name).path === used.session.cassette.path
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
