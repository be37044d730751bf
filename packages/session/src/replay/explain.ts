import { relative } from 'node:path'
import { type Difference, escapeInvisible, formatDifference, formatMismatch } from '@retake/compare'
import type { ModelInput, RetakeError } from '@retake/trace'
import {
  CassetteExhaustedError,
  CassetteMismatchError,
  OutOfOrderError,
  StepUsedError,
  UnusedStepsError,
} from '../errors.ts'
import type { Match } from './match.ts'
import { isHttp, type RecordedCall, type RecordedRun, type RecordedTool } from './recorded-run.ts'

/** Which test and which cassette a message is about. */
export interface Place {
  path: string
  test: string
  testFile: string
  /** The options that change the comparison. */
  inForce?: string | undefined
}

/** The typed error for a request that strict replay could not serve. */
export function explainMiss(
  match: Exclude<Match, { kind: 'found' }>,
  received: ModelInput,
  number: number,
  run: RecordedRun,
  place: Place,
): RetakeError {
  const requests = run.calls.length
  const details = { path: place.path, test: place.test, request: number, requests }
  const foot = footOf(place)
  switch (match.kind) {
    case 'mismatch': {
      const { closest, differences } = match
      const head = `request ${closest.number} of ${requests} ${formatMismatch(closest.input, received, differences)}`
      const message = [head, ...listed(differences), foot].join('\n')
      return new CassetteMismatchError(message, {
        ...details,
        request: closest.number,
        step: closest.step,
        differences,
        recorded: closest.input,
        received,
      })
    }
    case 'used':
      return new StepUsedError(
        `request ${number} repeats request ${match.call.number} of ${requests}, whose recorded reply was given already\n${foot}`,
        { ...details, step: match.call.step },
      )
    case 'out-of-order':
      return new OutOfOrderError(
        `request ${number} is request ${match.call.number} of ${requests} in the cassette, but request ${match.expected.number} was expected first\n${foot}`,
        { ...details, step: match.call.step, expected: match.expected.step },
      )
    case 'exhausted':
      return new CassetteExhaustedError(
        `the agent made ${ordinal(number)} request; the cassette has ${requests}\n${foot}`,
        details,
      )
  }
}

/** The error for a tool that was called with other arguments than recorded, or not at all in the recording. */
export function explainToolMiss(
  tool: string,
  recorded: { step: number; number: number } | undefined,
  differences: Difference[],
  requests: number,
  place: Place,
): CassetteMismatchError {
  const head = recorded
    ? `tool "${tool}" was called with other arguments than recorded: ${headline(differences)}`
    : `tool "${tool}" was called, but the cassette holds no unused result of it`
  const message = [head, ...(recorded ? listed(differences) : []), footOf(place)]
  return new CassetteMismatchError(message.join('\n'), {
    path: place.path,
    test: place.test,
    step: recorded?.step ?? -1,
    request: recorded?.number ?? 0,
    requests,
    differences,
    tool,
  })
}

export function explainUnused(
  open: readonly RecordedCall[],
  tools: readonly RecordedTool[],
  run: RecordedRun,
  place: Place,
): UnusedStepsError {
  const numbers = open.map(({ number }) => number)
  const [http, wrapped] = [tools.filter(isHttp), tools.filter((tool) => !isHttp(tool))].map((some) =>
    some.map(({ call }) => call.toolName).join(', '),
  )
  const left = [
    ...(open.length > 0
      ? [
          `${open.length} of ${run.calls.length} recorded requests unused: ${open.length === 1 ? 'request' : 'requests'} ${numbers.join(', ')}`,
        ]
      : []),
    ...(wrapped ? [`recorded calls of wrapped tools not made: ${wrapped}`] : []),
    ...(http ? [`recorded HTTP requests not made: ${http}`] : []),
  ]
  const message =
    `the test ended with ${left.join(', and ')}\n` +
    '  Most often an early return, or a thrown error that was swallowed. If it is meant: `allowUnused: true`.\n' +
    footOf(place)
  return new UnusedStepsError(message, {
    path: place.path,
    test: place.test,
    steps: [...open, ...tools].map(({ step }) => step).sort((one, other) => one - other),
    requests: run.calls.length,
  })
}

export const footOf = (place: Place): string =>
  [`  cassette  ${place.path}`, ...(place.inForce ? [`  in force  ${place.inForce}`] : []), onPurpose(place)].join('\n')

const onPurpose = ({ testFile }: Place): string =>
  `  On purpose?  ${testFile ? `npx vitest run ${relative(process.cwd(), testFile)} --update.cassettes` : 'Run it once with RETAKE=update.'}`

/** `messages[0].content`, or two paths and a count. */
export function headline(differences: readonly Difference[]): string {
  const paths = differences.slice(0, 2).map(({ path }) => path || '(everything)')
  return paths.join(', ') + (differences.length > 2 ? ` and ${differences.length - 2} more` : '')
}

export const listed = (differences: readonly Difference[]): string[] => differences.slice(0, 5).flatMap(formatLines)

/** One line, but for texts of several lines: only those that changed. */
function formatLines(difference: Difference): string[] {
  const { path, before, after } = difference
  if (typeof before !== 'string' || typeof after !== 'string') return [`  ${formatDifference(difference)}`]
  const [removed, added] = changedLines(before.split('\n'), after.split('\n'))
  if (removed.length + added.length === 2 && !before.includes('\n')) return [`  ${formatDifference(difference)}`]
  return [`  ${path}`, ...removed.map((line) => `  - ${line}`), ...added.map((line) => `  + ${line}`)].map(
    escapeInvisible,
  )
}

/** What is left of two texts without the lines they share at either end, three lines each. */
function changedLines(before: string[], after: string[]): [string[], string[]] {
  let start = 0
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const cut = (lines: string[]) => {
    const left = lines.slice(start, lines.length - end)
    return left.length > 3 ? [...left.slice(0, 3), `… ${left.length - 3} more lines`] : left
  }
  return [cut(before), cut(after)]
}

export function ordinal(n: number): string {
  const suffix = n % 100 >= 11 && n % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return n === 1 ? 'a first' : `a ${n}${suffix}`
}
