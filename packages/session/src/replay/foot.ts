import { relative } from 'node:path'
import { readText, stepLine } from '@retake/trace'
import type { CassetteOptions, RunKind } from '../cassette.ts'
import { quoteArgument } from '../quote-argument.ts'

/** Which test and which cassette a message is about. */
export interface Place {
  path: string
  test: string
  testFile: string
  runKind: RunKind
  /** The command that records it again, where it is not the runner's. */
  again?: string | undefined
  /** What `Date` says in the test. */
  clock?: CassetteOptions['clock']
  /** The options that change the comparison. */
  inForce?: string | undefined
}

interface Foot {
  /** Step of the cassette that it is about. */
  step?: number | undefined
  soFar?: string
  /** What there is to say besides, a line each. */
  more?: readonly string[]
}

/** Where it happened, how far the run had come, and the command that makes it the new recording. */
export const footOf = (place: Place, { step, soFar, more = [] }: Foot = {}): string =>
  [
    ...(more.length > 0 ? ['', ...more.map((line) => `  ${line}`)] : []),
    '',
    `  cassette  ${formatPlace(place.path, step)}`,
    ...(soFar ? [`  so far    ${soFar}`] : []),
    ...(place.inForce ? [`  in force  ${place.inForce}`] : []),
    '',
    onPurpose(place),
  ].join('\n')

function formatPlace(path: string, step: number | undefined): string {
  const line = step === undefined ? undefined : readLine(path, step)
  const short = relative(process.cwd(), path)
  return line === undefined ? short : `${short}:${line}`
}

function readLine(path: string, step: number): number | undefined {
  try {
    return stepLine(readText(path), step)
  } catch {
    return undefined
  }
}

const onPurpose = ({ testFile, again }: Place): string =>
  `  On purpose?  ${again ?? (testFile ? `npx retake vitest run ${toArgument(testFile)} --update-cassettes` : 'Run it once with RETAKE=update.')}`

const toArgument = (path: string): string => quoteArgument(relative(process.cwd(), path))
