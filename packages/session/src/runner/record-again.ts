import { relative } from 'node:path'
import { quoteArgument } from '../quote-argument.ts'

const mostFiles = 3

/** The command of Jest that records the tests of these files again, where they were run; of many files, all tests. */
export const recordAgain = (files: readonly string[]): string => {
  const paths = files.length > mostFiles ? [] : files.map((file) => relative(process.cwd(), file))
  // Jest reads arguments as regular expressions.
  const asPaths = paths.some((path) => /[[\](){}+*?^$|]/.test(path)) ? ['--runTestsByPath'] : []
  return ['npx retake jest', ...asPaths, ...paths.map(quoteArgument), '--update-cassettes'].join(' ')
}
