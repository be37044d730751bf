import { relative } from 'node:path'
import { quoteArgument } from '../quote-argument.ts'

/** The command that records the tests of a file again, where they were run. */
export const recordAgain = (runner: string, file: string): string =>
  `npx retake ${runner} ${quoteArgument(relative(process.cwd(), file))} --update-cassettes`
