import type { TerminalOutcome, Trace } from '@retake/trace'
import type { RunLimits } from './model-matchers.ts'
import type { Run } from './subject.ts'

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
  toMatchTrace(other: Run | Trace | string, options?: { semantic?: boolean }): void
  /** The run, or the file for a path, passes every check of `retake verify`. */
  toBeVerified(): void
  /** The conversation, a line a message, is what the snapshot of the runner says; `-u` updates it. */
  toMatchTranscriptSnapshot(): void
  readonly not: Omit<CassetteMatchers, 'not' | 'toMatchTranscriptSnapshot'>
}

/** What `expect(cassette)` has: all but the snapshot, which belongs to the runner's own matchers. */
export type GlobalMatchers = Omit<CassetteMatchers, 'not' | 'toMatchTranscriptSnapshot'>
