import type { Cassette } from '@retake/session'
import { ConfigError, type TerminalOutcome, type Trace } from '@retake/trace'
import type { ExpectStatic } from 'vitest'
import { report } from './load-report.ts'
import { cassetteMatchers } from './matchers/cassette-matchers.ts'
import type { RunLimits } from './matchers/model-matchers.ts'
import { type Subject, toSubject } from './subject.ts'
import { currentRun } from './test-run.ts'
import { type WorkerState, workerState } from './worker-state.ts'

/** Expectations about a run. Arguments are compared by deep equality; asymmetric matchers may stand inside them. */
export interface CassetteMatchers {
  /** The model asked for this tool, with these arguments if some are given. */
  toHaveCalledTool(name: string, args?: unknown): void
  /** The complete list of tools that the model asked for, in order. */
  toHaveCalledTools(names: readonly string[]): void
  /** A call of this tool failed, with this message if one is given: all of it as a string, or a pattern in it. */
  toHaveToolError(name: string, message?: string | RegExp): void
  /** Replies of the model; failed attempts do not count. */
  toHaveModelCalls(count: number): void
  /** The last final answer: all of it as a string, or a pattern in it. */
  toHaveFinalAnswer(answer: string | RegExp): void
  /** How the run ended; one that is still going on, how it would end now. */
  toHaveEndedWith(status: TerminalOutcome['status']): void
  /** A request was made to this model, as the agent named it. */
  toHaveUsedModel(name: string): void
  /** A request had this system prompt: all of it as a string, or a pattern in it. */
  toHaveSentSystemPrompt(prompt: string | RegExp): void
  /**
   * The run took no more than this.
   * @throws ConfigError for a limit of tokens where replies have no token counts
   */
  toStayWithin(limits: RunLimits): void
  /**
   * The same steps as another run, or the run in a file: by hash, so at the same times; with `semantic` by what they
   * say.
   */
  toMatchTrace(other: Cassette | Trace | string, options?: { semantic?: boolean }): void
  /** The run, or the file for a path, passes every check of `retake verify`. */
  toBeVerified(): void
  /** The conversation, a line a message, is what the snapshot of the runner says; `-u` updates it. */
  toMatchTranscriptSnapshot(): void
  readonly not: Omit<CassetteMatchers, 'not' | 'toMatchTranscriptSnapshot'>
}

type MatcherName = keyof typeof cassetteMatchers

const names = Object.keys(cassetteMatchers) as MatcherName[]
// Under names of our own: a project may have extended `expect` with the plain ones.
const registeredName = (name: string): string => `retake.${name}`
const extended = new WeakSet<ExpectStatic>()

/**
 * Expectations about the run of a cassette so far, about a trace, or about the cassette file at a path.
 *
 * @throws ConfigError without the plugin, for a cassette that is off, and where the file cannot be read
 * @throws CassetteCorruptError, CassetteConflictError, CassetteVersionError for a file that is no cassette
 */
export const expectCassette = (subject: Cassette | Trace | string): CassetteMatchers => {
  const state = workerState()
  if (!state) {
    throw new ConfigError('expectCassette() needs the plugin: add retake() to the plugins of the Vitest config')
  }
  const { expect } = state.vitest
  if (!extended.has(expect)) {
    expect.extend(Object.fromEntries(names.map((name) => [registeredName(name), cassetteMatchers[name]])))
    extended.add(expect)
  }
  const run = toSubject(subject)
  const matchers = (negated: boolean) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        function matcher(...args: unknown[]) {
          const assertion = negated ? expect(run).not : expect(run)
          try {
            ;(assertion as unknown as Record<string, (...args: unknown[]) => void>)[registeredName(name)]?.(...args)
          } catch (error) {
            // The line of the test, not of this file.
            if (error instanceof Error) Error.captureStackTrace(error, matcher)
            throw error
          }
        },
      ]),
    )
  return {
    ...matchers(false),
    toMatchTranscriptSnapshot: () => matchTranscript(run, state),
    not: matchers(true),
  } as unknown as CassetteMatchers
}

/** In full: what a line leaves out could change unseen. */
const matchTranscript = ({ trace }: Subject, state: WorkerState): void => {
  const { createStyle, renderConversation } = report()
  const text = renderConversation(trace, { style: createStyle(), width: Number.MAX_SAFE_INTEGER })
  const task = currentRun(state)?.task
  // The global `expect` does not know which of several concurrent tests it is in.
  const { expect } = task?.concurrent ? task.context : state.vitest
  expect(text).toMatchSnapshot('transcript')
}
