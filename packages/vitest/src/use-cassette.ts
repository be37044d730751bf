import type { Cassette, CassetteOptions } from '@retake/session'
import { checkOptions, createSharedHandle } from '@retake/session/runner'
import { ConfigError } from '@retake/trace'
import { late, loadLate } from './load-late.ts'
import { currentRun } from './task-run.ts'
import { type WorkerState, workerState } from './worker-state.ts'

// A test file that imports this will have cassettes; the setup file waits for it before the first test.
const file = workerState()
if (file) file.loading = loadLate()

/**
 * Gives the test its cassette: the model calls it makes from here on are recorded, or replayed from the file. In a test
 * and in its hooks and fixtures it is the cassette of that test. At file or describe level every test below gets its
 * own, and the returned handle stands for the cassette of whichever test uses it.
 *
 * @throws ConfigError for a call outside of tests, without the plugin, or that contradicts an earlier one
 * @throws CassetteMissingError, CassetteCorruptError, CassetteConflictError, CassetteVersionError at once
 */
export const useCassette = (options: CassetteOptions = {}): Cassette => {
  const state = workerState()
  if (!state) {
    throw new ConfigError(
      'useCassette() needs the plugin, and it is not active here.\n' +
        "  Add it to the Vitest config: import { retake } from 'retake/vitest', then plugins: [retake()].\n" +
        '  A project of its own (test.projects) needs it too, or `extends: true`.',
    )
  }
  checkOptions('useCassette()', options)
  const run = currentRun(state)
  if (run?.scope.ended) {
    throw new ConfigError(
      `useCassette() was called after its test had ended: ${run.scope.label}.\n` +
        '  Await everything that the test starts, and call it before the first model call.',
      { test: run.scope.label },
    )
  }
  if (run) return late().useInTask(state, run, options)
  if (state.phase === 'collect') return useInEveryTest(state, options)
  if (state.vitest.currentTest()?.concurrent) {
    throw new ConfigError(
      'useCassette() was called by an automatic fixture of a concurrent test, where no test can be told from another.\n' +
        '  Call it in the test, or make the fixture one that the test asks for.',
    )
  }
  throw new ConfigError(
    'useCassette() was called outside of every test, such as in beforeAll.\n' +
      '  Call it in the test, in beforeEach or in a fixture, or at the top of the file or describe.',
  )
}

const useInEveryTest = (state: WorkerState, options: CassetteOptions): Cassette => {
  if (options.name !== undefined) {
    throw new ConfigError('a name belongs to one test: give it to useCassette() in the test', { option: 'name' })
  }
  state.vitest.beforeEach(() => {
    const run = currentRun(state)
    if (run) late().useInTask(state, run, options, true)
  })
  return createSharedHandle(() => currentRun(state)?.cassette?.handle)
}
