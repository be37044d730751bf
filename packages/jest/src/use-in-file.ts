import type { Cassette, CassetteOptions } from '@retake/session'
import type { RunnerTest } from '@retake/session/runner'
import type { CircusTest } from './circus.ts'
import { titlesOf } from './file-tests.ts'
import { late } from './load-late.ts'
import { tellRecording } from './recording-progress.ts'
import type { JestRun, TestFile } from './test-file.ts'

/** Opens the cassette of a test, or gives the one it has. `implicit`: its file or describe asks. */
export const useInFile = (file: TestFile, run: JestRun, options: CassetteOptions, implicit = false): Cassette => {
  const { recordAgain, useInTest } = late()
  const cassette = useInTest(file, run, {
    options,
    implicit,
    again: recordAgain([file.path]),
    siblings: () => siblingsOf(file, run.circus),
    onReply: (reply) => run.progress?.replied(reply),
  })
  if (cassette.state === 'recording') run.progress ??= tellRecording(run.scope.label)
  return cassette
}

/** The cassette of a test that asks for none. What is wrong with it fails the test at its end, and not its hook. */
export const useImplicitly = (file: TestFile, run: JestRun): void => {
  try {
    useInFile(file, run, {}, true)
  } catch (error) {
    if (!run.refusals.some((refusal) => refusal === error)) throw error
  }
}

/** The other tests of the file. */
const siblingsOf = ({ duplicates }: TestFile, test: CircusTest): Pick<RunnerTest, 'titles' | 'duplicate'>[] =>
  [...duplicates].flatMap(([other, duplicate]) => (other === test ? [] : [{ titles: titlesOf(other), duplicate }]))
