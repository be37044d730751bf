import { fileURLToPath } from 'node:url'
import { isError, isRetakeError } from '@retake/trace'

/** An error as a runner keeps it. */
export interface RunnerError {
  name?: string
  message?: string
  stack?: string
  cause?: unknown
}

interface Named {
  name: string
  message: string
}

/**
 * The errors that a runner has of an attempt which failed for `errors`, taken apart: what the agent's SDK made of a
 * refusal, where there is such a thing, and what failed besides.
 */
export const sortRunnerErrors = <T extends RunnerError>(
  entries: readonly T[],
  errors: readonly Named[],
): { sdkError: T | undefined; rest: T[] } => {
  const isOurs = (entry: T): boolean =>
    errors.some(({ name, message }) => entry.name === name && entry.message === message)
  return {
    sdkError: entries.find((entry) => !isOurs(entry) && comesFromRefusal(entry)),
    rest: entries.filter((entry) => !isOurs(entry) && !comesFromRefusal(entry)),
  }
}

/** Said below an error of the test itself: this may be why, or what came of it. `count` is not 0. */
export const formatUnreached = (count: number): string =>
  `\n(also: ${count} recorded ${count === 1 ? 'request was' : 'requests were'} not reached)`

/** The refusal reaches the agent as an answer of the provider, and every SDK quotes its message. */
const comesFromRefusal = (entry: RunnerError): boolean => {
  const seen = new Set<unknown>()
  for (let error: RunnerError | undefined = entry; error && !seen.has(error); error = error.cause as typeof error) {
    if (String(error.message).includes('[retake]')) return true
    seen.add(error)
  }
  return false
}

/** Without the response, headers and request id that SDK errors carry, and without what it repeats of our message. */
export const toCause = ({ name, message }: Named): Error => {
  const cause = new Error(message.replace(/\[retake\] .*/s, '[retake] as above'))
  cause.name = name
  // Its frames are those of the error that it is the cause of.
  cause.stack = `${name}: ${cause.message}`
  return cause
}

/**
 * Of what the system said only the message: its frames are ours, and its members repeat it. Nothing of an error of ours,
 * whose message the one that it caused repeats. Others may be the user's.
 */
export const toShownCause = (cause: unknown): unknown => {
  if (isRetakeError(cause)) return undefined
  return isError(cause) && 'syscall' in cause ? toCause(cause) : cause
}

// In the repository the folder of the packages, in the published package the folder of the build.
const ownFolder = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../../' : './', import.meta.url))

/** What is left points at the code that made the request; runners show the first line of it. */
export const withoutOwnFrames = (stack: string): string =>
  stack
    .split('\n')
    .filter((line) => !isFrame(line) || !line.includes(ownFolder))
    .join('\n')

/**
 * The SDK knows which line of the agent made the request; below its own promises our error does not. In a stack of ours
 * that shows none, so that a runner points at that line. Reports for programs print the stack: its head is the whole
 * message, with the differences.
 */
export const withFramesOf = ({ stack = '' }: RunnerError, { name, message }: Named, own = ''): string => {
  const frames = usersFrames(own).length > 0 ? usersFrames(own) : usersFrames(stack)
  return [`${name}: ${message}`, ...frames].join('\n')
}

/** Frames outside of packages. */
const usersFrames = (stack: string): string[] =>
  stack.split('\n').filter((line) => isFrame(line) && !/[\\/]node_modules[\\/]|[ (]node:/.test(line))

const isFrame = (line: string): boolean => /^ +at /.test(line)
