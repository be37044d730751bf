import type { Cassette, CassetteOptions } from '@retake/session'
import { late } from './load-late.ts'
import type { JestRun, TestFile } from './test-file.ts'

/** Opens the cassette of a test, or gives the one it has. `implicit`: its file or describe asks. */
export const useInFile = (file: TestFile, run: JestRun, options: CassetteOptions, implicit = false): Cassette => {
  const { recordAgain, useInTest } = late()
  return useInTest(file, run, { options, implicit, again: recordAgain('jest', file.path) })
}

/** The cassette of a test that asks for none. What is wrong with it fails the test at its end, and not its hook. */
export const useImplicitly = (file: TestFile, run: JestRun): void => {
  try {
    useInFile(file, run, {}, true)
  } catch (error) {
    if (!run.refusals.some((refusal) => refusal === error)) throw error
  }
}
