import type { CassetteMatchers, Run } from '@retake/report/expectations'
import type { Cassette, CassetteOptions } from '@retake/session'
import { checkOptions, withoutOwnFrames } from '@retake/session/runner'
import { ConfigError, isRetakeError, type Trace } from '@retake/trace'
import type { JestExpect } from './circus.ts'
import type { JestHandle } from './handle-key.ts'
import { late } from './load-late.ts'
import { currentRun, type TestFile } from './test-file.ts'
import { useInFile } from './use-in-file.ts'

/** What the code of a test file calls. */
export const createHandle = (file: TestFile): JestHandle => ({
  useCassette: (options = {}) => atCaller(() => useCassette(file, options)),
  expectCassette: (subject) => atCaller(() => expectCassette(file, subject)),
  extendExpect: () => atCaller(() => late().extendExpect(expectOf(file), late)),
})

/** What is wrong with a call is said where it was made, also at file level, where no test ends. */
const atCaller = <T>(call: () => T): T => {
  try {
    return call()
  } catch (error) {
    if (isRetakeError(error) && error.stack) error.stack = withoutOwnFrames(error.stack)
    throw error
  }
}

const useCassette = (file: TestFile, options: CassetteOptions): Cassette => {
  checkOptions('useCassette()', options)
  const run = currentRun(file)
  if (run) return useInFile(file, run, options)
  if (file.phase === 'collect') return useInEveryTest(file, options)
  throw new ConfigError(
    'useCassette() was called outside of every test, such as in beforeAll.\n' +
      '  Call it in the test or in beforeEach, or at the top of the file or describe.',
  )
}

const useInEveryTest = (file: TestFile, options: CassetteOptions): Cassette => {
  if (options.name !== undefined) {
    throw new ConfigError('a name belongs to one test: give it to useCassette() in the test', { option: 'name' })
  }
  file.globals?.beforeEach(() => {
    const run = currentRun(file)
    if (run) useInFile(file, run, options, true)
  })
  return late().createSharedHandle(() => currentRun(file)?.cassette?.handle)
}

const expectCassette = (file: TestFile, subject: Run | Trace | string): CassetteMatchers => {
  const expect = expectOf(file)
  const matchTranscript = (text: string) => expect(text).toMatchSnapshot('transcript')
  return late().expectRun({ expect, renderers: late, matchTranscript }, subject)
}

const expectOf = ({ globals }: TestFile): JestExpect => {
  if (globals) return globals.expect
  throw new ConfigError('expectations of retake need the test runner jest-circus')
}
