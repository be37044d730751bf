import { fileURLToPath } from 'node:url'
import type { RetakeError } from '@retake/trace'
import type { RunnerTestCase, TestError } from 'vitest'
import { renderDifference } from './render-difference.ts'
import type { TestRun } from './worker-state.ts'

/**
 * What a failed attempt reports: the first thing the session found wrong, with the others named below it. What the agent's
 * SDK made of the refusal becomes its cause, and whatever else failed follows.
 */
export const presentErrors = async (run: TestRun, errors: readonly RetakeError[]): Promise<Error> => {
  const [first, ...others] = errors
  if (!first) throw new TypeError('nothing to present')
  const entries = takeEntries(run)
  const consequences = entries.filter((entry) => isOurs(entry, errors) || comesFromRefusal(entry))
  const rest = entries.filter((entry) => !consequences.includes(entry))
  const shown = await toShown(first, others)
  const sdkError = consequences.find((entry) => !isOurs(entry, errors))
  if (sdkError) {
    shown.cause = toCause(sdkError)
    shown.stack = withFramesOf(sdkError, first, shown.stack)
  }
  return rest.length > 0 ? new AggregateError([shown, ...rest], shown.message) : shown
}

/** What fails a whole file: mismatches that `test.fails` would hide, and what tests did after they had ended. */
export const presentFileErrors = async (
  hidden: Iterable<readonly [RunnerTestCase, readonly RetakeError[]]>,
  late: readonly RetakeError[],
): Promise<Error> => {
  const shown: Error[] = []
  for (const [task, [first, ...others]] of hidden) {
    if (!first) continue
    const error = await toShown(first, others)
    error.message = `"${task.name}" is marked to fail, but its cassette must fit all the same.\n${error.message}`
    shown.push(error)
  }
  for (const error of late) shown.push(await toShown(error))
  return new AggregateError(shown, shown.map(({ message }) => message).join('\n\n'))
}

/**
 * An error as a runner prints it best: a plain message, a difference ready to print, and no further members, which would
 * be listed as a dump.
 */
const toShown = async (error: RetakeError, others: readonly RetakeError[] = []): Promise<Error> => {
  const also = others.map((other) => `  - ${other.name}: ${other.message.split('\n', 1)[0]}`)
  const list = also.length > 0 ? `\n\nalso in this test:\n${also.join('\n')}` : ''
  const diff = await renderDifference(error)
  const brief = diff === undefined ? undefined : error.details.brief
  const shown: Error & { diff?: string } = new Error((typeof brief === 'string' ? brief : error.message) + list)
  shown.name = error.name
  if (error.stack) shown.stack = withoutOwnFrames(error.stack)
  if (error.cause !== undefined) shown.cause = error.cause
  if (diff !== undefined) shown.diff = diff
  return shown
}

// In the repository the folder of the packages, in the published package the folder of the build.
const ownFolder = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../' : './', import.meta.url))

/** What is left points at the code that made the request; Vitest shows the first line of it. */
const withoutOwnFrames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !/^ +at /.test(line) || !line.includes(ownFolder))
    .join('\n')

/**
 * Takes the errors of this attempt off the task; they come back with what is thrown. The list is no documented interface
 * of Vitest: where it looks different, it stays as it is and our error follows it.
 */
const takeEntries = ({ task, earlierErrors }: TestRun): TestError[] => {
  const errors = task.result?.errors
  return Array.isArray(errors) && !Object.isFrozen(errors) ? errors.splice(earlierErrors) : []
}

const isOurs = (entry: TestError, errors: readonly RetakeError[]): boolean =>
  errors.some(({ name, message }) => entry.name === name && entry.message === message)

/**
 * The SDK knows which line of the agent made the request; below its own promises our error does not. In a stack of ours
 * that shows none, so that Vitest points at that line. Reports for programs print the stack: its head is the whole
 * message, with the differences.
 */
const withFramesOf = ({ stack = '' }: TestError, { name, message }: RetakeError, own = ''): string => {
  const frames = ownLines(own).length > 0 ? ownLines(own) : ownLines(stack)
  return [`${name}: ${message}`, ...frames].join('\n')
}

/** Frames outside of packages. */
const ownLines = (stack: string): string[] =>
  stack.split('\n').filter((line) => /^ +at /.test(line) && !/[\\/]node_modules[\\/]|[ (]node:/.test(line))

/** The refusal reaches the agent as an answer of the provider, and every SDK quotes its message. */
const comesFromRefusal = (entry: TestError | undefined): boolean => {
  const seen = new Set<unknown>()
  for (
    let error: TestError | undefined = entry;
    error && !seen.has(error);
    error = error.cause as TestError | undefined
  ) {
    if (String(error.message).includes('[retake]')) return true
    seen.add(error)
  }
  return false
}

/** Without the response, headers and request id that SDK errors carry. Some name their class only in the constructor. */
const toCause = (entry: TestError): Error => {
  const { name, message } = entry
  const className = /^Function<(\w+)>$/.exec(String(entry.constructor))?.[1]
  const cause = new Error(message)
  cause.name = (name === 'Error' && className) || name || 'Error'
  // Its frames are those of the error that it is the cause of.
  cause.stack = `${cause.name}: ${message}`
  return cause
}
