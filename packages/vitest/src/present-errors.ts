import { sortRunnerErrors, toCause, toShownCause, withFramesOf, withoutOwnFrames } from '@retake/session/runner'
import type { RetakeError } from '@retake/trace'
import type { RunnerTestCase, TestError } from 'vitest'
import { type TaskRun, workerState } from './worker-state.ts'

/**
 * What a failed attempt reports: the first thing the session found wrong, with the others named below it. What the agent's
 * SDK made of the refusal becomes its cause, and whatever else failed follows.
 */
export const presentErrors = async (run: TaskRun, errors: readonly RetakeError[]): Promise<Error> => {
  const [first, ...others] = errors
  if (!first) throw new TypeError('nothing to present')
  const { sdkError, rest } = sortRunnerErrors(takeEntries(run), errors)
  const shown = await toShown(first, others)
  if (sdkError) {
    shown.cause = toCause({ name: classOf(sdkError), message: sdkError.message })
    shown.stack = withFramesOf(sdkError, first, shown.stack)
  }
  return rest.length > 0 ? new AggregateError([shown, ...rest], shown.message) : shown
}

/** What fails a whole file: mismatches that `test.fails` would hide, and what tests did after they had ended. */
export const presentFileErrors = async (
  hidden: Iterable<readonly [RunnerTestCase, readonly RetakeError[]]>,
  late: readonly RetakeError[],
): Promise<Error> => {
  const { formatHiddenFailure } = await import('@retake/report')
  const shown: Error[] = []
  for (const [task, [first, ...others]] of hidden) {
    if (!first) continue
    const error = await toShown(first, others)
    error.message = formatHiddenFailure(task.name, error.message)
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
  const { createStyle, renderFailure } = await import('@retake/report')
  // In a worker it decides about colours as Vitest itself does.
  const { default: colours } = await import('tinyrainbow')
  const text = renderFailure(error, others, {
    style: createStyle({ colors: colours.isColorSupported }),
    width: workerState()?.settings.columns,
  })
  const shown: Error & { diff?: string } = new Error(text.message)
  shown.name = error.name
  if (error.stack) shown.stack = withoutOwnFrames(error.stack)
  if (error.cause !== undefined) shown.cause = toShownCause(error.cause)
  if (text.difference !== undefined) shown.diff = text.difference
  return shown
}

/**
 * Takes the errors of this attempt off the task; they come back with what is thrown. The list is no documented interface
 * of Vitest: where it looks different, it stays as it is and our error follows it.
 */
const takeEntries = ({ task, earlierErrors }: TaskRun): TestError[] => {
  const errors = task.result?.errors
  return Array.isArray(errors) && !Object.isFrozen(errors) ? errors.splice(earlierErrors) : []
}

/** Some name their class only in the constructor. */
const classOf = (error: TestError): string => {
  const className = /^Function<(\w+)>$/.exec(String(error.constructor))?.[1]
  return (error.name === 'Error' && className) || error.name || 'Error'
}
