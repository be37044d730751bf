import { compareRequests, type Difference, escapeInvisible, formatDifference, formatMismatch } from '@retake/compare'
import { type Message, type ModelInput, type RetakeError, terminalOutcome } from '@retake/trace'
import {
  CassetteExhaustedError,
  CassetteMismatchError,
  OutOfOrderError,
  StepUsedError,
  UnusedStepsError,
} from '../errors.ts'
import type { Match } from './match.ts'
import { missMessage, type Place } from './miss-message.ts'
import { onlyDatesDiffer } from './only-dates.ts'
import { formatCall, formatProgress } from './progress.ts'
import { isHttp, type RecordedCall, type RecordedRun, type RecordedTool } from './recorded-run.ts'

const longestText = 64

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
  const soFar = formatProgress(run.calls, 'closest' in match ? match.closest : undefined)
  switch (match.kind) {
    case 'mismatch': {
      const { closest, differences } = match
      const head = `request ${closest.number} of ${requests} ${formatMismatch(closest.input, received, differences)}`
      const more = suggestClock(differences, place)
      const evidence = listed(differences)
      const { message, brief } = missMessage(place, { head, step: closest.step, soFar, evidence, more })
      return new CassetteMismatchError(message, {
        ...details,
        request: closest.number,
        step: closest.step,
        differences,
        recorded: closest.input,
        received,
        ...(place.inForce && { inForce: place.inForce }),
        brief,
      })
    }
    case 'used': {
      const { call } = match
      const head = `request ${number} repeats request ${call.number} of ${requests}, whose recorded reply was given already`
      const evidence = [`  repeated  ${formatRequest(call)}`]
      return new StepUsedError(missMessage(place, { head, step: call.step, soFar, evidence }).message, {
        ...details,
        step: call.step,
      })
    }
    case 'out-of-order': {
      const { call, expected } = match
      const head = `request ${call.number} of ${requests} came before request ${expected.number}, which was recorded first`
      const evidence = [`  expected  ${formatRequest(expected)}`, `  received  ${formatRequest(call)}`]
      return new OutOfOrderError(missMessage(place, { head, step: expected.step, soFar, evidence }).message, {
        ...details,
        step: call.step,
        expected: expected.step,
      })
    }
    case 'exhausted': {
      const more = [...compareWithLast(run.calls.at(-1), received, number), ...formatEnd(run)]
      const head = `the agent made ${ordinal(number)} request; the cassette has ${requests}`
      return new CassetteExhaustedError(missMessage(place, { head, soFar, more }).message, details)
    }
  }
}

/** `request 2  user  And B-1?`: its number and what it ends with. */
const formatRequest = ({ number, input }: RecordedCall): string => {
  const last = input.messages.at(-1)
  return [`request ${number}`, ...(last ? [formatMessage(last)] : [])].join('  ')
}

const suggestClock = (differences: readonly Difference[], { clock = 'live', runKind }: Place): string[] =>
  clock === 'live' && onlyDatesDiffer(differences)
    ? [`Only dates differ. \`clock: 'recorded'\` gives the ${runKind} the time of its recording.`]
    : []

/** A request more is often the last one again, with something behind it. */
function compareWithLast(last: RecordedCall | undefined, received: ModelInput, number: number): string[] {
  if (!last) return []
  const differences = compareRequests(last.input, received)
  if (differences.length === 0) return [`request ${number} is request ${last.number} again`]
  const isMore = differences.every(({ path, kind }) => kind === 'added' && /^messages\[\d+\]$/.test(path))
  if (!isMore) return []
  const added = differences.map(({ after }) => `  + ${formatMessage(after as Message)}`)
  const left = added.length > 3 ? [`  … ${added.length - 3} more messages`] : []
  return [`request ${number} repeats request ${last.number}, and adds`, ...added.slice(0, 3), ...left]
}

const formatMessage = ({ role, content }: Message): string => {
  const text = (typeof content === 'string' ? content : JSON.stringify(content)).replace(/\s+/g, ' ')
  return `${role}  ${escapeInvisible(text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text)}`
}

function formatEnd(run: RecordedRun): string[] {
  if (wasBrokenOff(run)) return [brokenOff]
  const attempt = run.calls.at(-1)?.attempts.at(-1)
  if (!attempt || !('output' in attempt) || attempt.output.type !== 'final_answer') return []
  return ['The recorded run ended there with a final answer: a new turn, or a loop that does not stop?']
}

export const brokenOff =
  'The recorded process ended while calls were running; what they would have given is not in the cassette.'

export const wasBrokenOff = ({ trace }: RecordedRun): boolean => {
  const end = terminalOutcome(trace)
  return end.status === 'error' && end.reason === 'calls_in_flight'
}

export function explainUnused(
  open: readonly RecordedCall[],
  tools: readonly RecordedTool[],
  run: RecordedRun,
  place: Place,
): UnusedStepsError {
  const [http, wrapped] = [tools.filter(isHttp), tools.filter((tool) => !isHttp(tool))].map((some) =>
    some.map(({ call }) => call.toolName).join(', '),
  )
  const left = [
    ...(open.length > 0 ? [`${open.length} of ${run.calls.length} recorded requests unused`] : []),
    ...(wrapped ? [`recorded calls of wrapped tools not made: ${wrapped}`] : []),
    ...(http ? [`recorded HTTP requests not made: ${http}`] : []),
  ]
  const steps = [...open, ...tools].map(({ step }) => step).sort((one, other) => one - other)
  const more = [
    ...formatOpen(open, run),
    'Most often an early return, or a thrown error that was swallowed.',
    'If it is meant: `allowUnused: true`.',
  ]
  const head = `the ${place.runKind} ended with ${left.join(', and ')}`
  return new UnusedStepsError(missMessage(place, { head, step: steps[0], more }).message, {
    path: place.path,
    test: place.test,
    steps,
    requests: run.calls.length,
  })
}

/** The calls of a run, up to a few that were not made. */
function formatOpen(open: readonly RecordedCall[], { calls }: RecordedRun): string[] {
  if (open.length === 0) return []
  const first = calls.indexOf(open[0] as RecordedCall)
  const start = Math.max(0, first - 2)
  const rows = calls.slice(start, first + 3).map((call) => {
    const state = open.includes(call) ? '– unused' : '✓       '
    return `${String(call.number).padStart(String(calls.length).length)} ${state}  ${formatCall(call)}`
  })
  const left = calls.length - first - 3
  return [...(start > 0 ? [`… ${start} before`] : []), ...rows, ...(left > 0 ? [`… ${left} more`] : [])]
}

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
