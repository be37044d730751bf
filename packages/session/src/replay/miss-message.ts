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

interface Miss {
  /** What happened, in a line. */
  head: string
  /** Step of the cassette that it is about. */
  step?: number | undefined
  /** How far the run had come. */
  soFar?: string
  /** What it is made of, a line each. */
  evidence?: readonly string[]
  /** What there is to say besides, a line each. */
  more?: readonly string[]
}

/** The paragraphs of a message but for its evidence, which a report may show better. */
export interface Brief {
  where: string
  more: string
  next: string
}

/** What happened, where, the evidence, and the commands that apply: a paragraph each. */
export function missMessage(
  place: Place,
  { head, step, soFar, evidence = [], more = [] }: Miss,
): { message: string; brief: Brief } {
  const where = [
    `  cassette  ${formatPlace(place.path, step)}`,
    ...(soFar ? [`  so far    ${soFar}`] : []),
    ...(place.inForce ? [`  in force  ${place.inForce}`] : []),
  ].join('\n')
  const next = [onPurpose(place), `  The whole recording:  npx retake inspect ${toArgument(place.path)}`].join('\n')
  const besides = more.map((line) => `  ${line}`)
  const paragraphs = [head, where, [...evidence, ...besides].join('\n'), next]
  return {
    message: paragraphs.filter((paragraph) => paragraph !== '').join('\n\n'),
    brief: { where, more: besides.join('\n'), next },
  }
}

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
