import { isNativeError } from 'node:util/types'
import { withoutOwnFrames } from '@retake/session/runner'
import type { RetakeError } from '@retake/trace'
import type { CircusTest } from './circus.ts'
import { hasColors } from './colors.ts'
import { late } from './load-late.ts'
import type { TestFile } from './test-file.ts'

/**
 * What a failed attempt reports: the first thing the session found wrong, with the others named below it. What the agent's
 * SDK made of the refusal becomes its cause, and whatever else Jest has of this attempt follows.
 */
export const presentErrors = (file: TestFile, test: CircusTest, errors: readonly RetakeError[]): unknown[] => {
  const [first, ...others] = errors
  if (!first) return test.errors
  const { sortRunnerErrors, toCause, withFramesOf } = late()
  const { sdkError, rest } = sortRunnerErrors(test.errors.map(toRunnerError), errors)
  const shown = toShown(file, first, others, test)
  if (sdkError) {
    shown.cause = inRealm(file, toCause(sdkError))
    shown.stack = withFramesOf(sdkError, shown, shown.stack)
  }
  // What the end of a test finds wrong has no line of its own, and without one Jest takes the message for the frames.
  if (framesOf(shown.stack).length === 0) {
    shown.stack = [shown.stack, ...placeOf(test)].join('\n')
  }
  return [shown, ...rest.map(({ entry }) => entry)]
}

/** Of what the test itself threw, and its causes: where a request passed through retake helps nobody. */
export const hideOwnFrames = ({ errors }: CircusTest): void => {
  const seen = new Set<unknown>()
  for (const entry of errors) {
    for (let error = thrownIn(entry); isNativeError(error) && !seen.has(error); error = error.cause) {
      seen.add(error)
      if (error.stack !== undefined && !Object.isFrozen(error)) error.stack = withoutOwnFrames(error.stack)
    }
  }
}

/** What failed is something else. */
export const addUnreached = ({ errors }: CircusTest, unreached: number): void => {
  const error = thrownIn(errors.at(-1))
  if (!isNativeError(error) || Object.isFrozen(error)) return
  const { message, stack } = error
  error.message += late().formatUnreached(unreached)
  // The stack, which is what Jest prints, begins with the message.
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message)
}

/** What tests did after they had ended: it fails the file. */
export const presentLateErrors = (file: TestFile, errors: readonly RetakeError[]): Error[] =>
  errors.map((error) => toShown(file, error, []))

/** Jest prints the stack: its head is the message, with the difference below. */
const toShown = (file: TestFile, error: RetakeError, others: readonly RetakeError[], test?: CircusTest): Error => {
  const { createStyle, formatHiddenFailure, renderFailure } = late()
  const text = renderFailure(error, others, { style: createStyle({ colors: hasColors() }) })
  const message = test?.failing ? formatHiddenFailure(test.name, text.message) : text.message
  const whole = text.difference === undefined ? message : `${message}\n\n${text.difference}\n`
  const frames = framesOf(withoutOwnFrames(error.stack ?? ''))
  const shown = inRealm(file, {
    name: error.name,
    message: whole,
    stack: [`${error.name}: ${whole}`, ...frames].join('\n'),
  })
  if (error.cause !== undefined) shown.cause = error.cause
  return shown
}

/** The frames of where a test is defined; without them Jest takes lines of a message for frames. */
export const placeOf = ({ asyncError }: CircusTest): string[] => {
  const frames = framesOf(asyncError?.stack)
  const own = frames.filter((frame) => !/[\\/]node_modules[\\/]/.test(frame))
  return own.length > 0 ? own : frames
}

const framesOf = (stack = ''): string[] => stack.split('\n').filter((line) => /^ +at /.test(line))

/** Jest, which runs among the globals of the test file, prints the cause of no other error. */
const inRealm = (file: TestFile, { name, message, stack }: Error): Error =>
  Object.assign(new file.Error(message), { name, stack })

/** Jest keeps what was thrown, or that and where the test was defined. */
const thrownIn = (entry: unknown): unknown => (Array.isArray(entry) ? entry[0] : entry)

const toRunnerError = (entry: unknown) => {
  const error = thrownIn(entry)
  const { name, message, stack, cause } = Object(error) as Partial<Error>
  return {
    entry,
    name: nameOf(error) ?? name ?? 'Error',
    message: message ?? String(error),
    cause,
    ...(stack !== undefined && { stack }),
  }
}

/** Errors of some SDKs say their name only by their class. */
const nameOf = (error: unknown): string | undefined => {
  const { name, constructor: Class } = Object(error) as Error
  return name === 'Error' ? Class?.name : undefined
}
