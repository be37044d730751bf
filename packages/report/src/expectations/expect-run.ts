import type { Trace } from '@retake/trace'
import { cassetteMatchers } from './cassette-matchers.ts'
import type { Judgement, MatcherContext } from './matcher.ts'
import type { CassetteMatchers } from './matcher-types.ts'
import type { Renderers } from './renderers.ts'
import { type Run, type Subject, toSubject } from './subject.ts'

/** What a matcher gives, as runners want it. */
type Verdict = Omit<Judgement, 'message'> & { message: () => string }
type Matcher = (this: MatcherContext, received: unknown, ...args: unknown[]) => Verdict
type OwnMatcher = (this: MatcherContext, subject: Subject, ...args: unknown[]) => Judgement

/** The part of a runner's `expect` that is used here. */
export interface RunnerExpect {
  (value: unknown): { not: unknown }
  extend(matchers: Record<string, Matcher>): unknown
}

export interface Expectations {
  expect: RunnerExpect
  renderers: () => Renderers
  /** Compares a conversation, in full, with the snapshot of the runner. */
  matchTranscript: (text: string) => void
}

const names = Object.keys(cassetteMatchers)
// Under names of our own: a project may have extended `expect` with the plain ones.
const registeredName = (name: string): string => `retake.${name}`
const extended = new WeakSet<RunnerExpect>()

/**
 * Expectations about the run of a cassette so far, about a trace, or about the cassette file at a path.
 *
 * @throws ConfigError for a cassette that is off, and where the file cannot be read
 * @throws CassetteCorruptError, CassetteConflictError, CassetteVersionError for a file that is no cassette
 */
export const expectRun = (
  { expect, renderers, matchTranscript }: Expectations,
  subject: Run | Trace | string,
): CassetteMatchers => {
  if (!extended.has(expect)) {
    expect.extend(toRunnerMatchers(registeredName, (received) => received as Subject, renderers))
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
            ;(assertion as Record<string, (...args: unknown[]) => void>)[registeredName(name)]?.(...args)
          } catch (error) {
            // The line of the test, not of this file.
            if (typeof error === 'object' && error !== null) Error.captureStackTrace(error, matcher)
            throw error
          }
        },
      ]),
    )
  return {
    ...matchers(false),
    toMatchTranscriptSnapshot: () => matchTranscript(toTranscript(run, renderers())),
    not: matchers(true),
  } as unknown as CassetteMatchers
}

/** Puts the matchers on the `expect` of a runner under their own names: `expect(cassette).toHaveCalledTool(…)`. */
export const extendExpect = (expect: RunnerExpect, renderers: () => Renderers): void => {
  expect.extend(toRunnerMatchers(String, (received) => toSubject(received as Run), renderers))
}

const toRunnerMatchers = (
  toName: (name: string) => string,
  toRun: (received: unknown) => Subject,
  renderers: () => Renderers,
): Record<string, Matcher> =>
  Object.fromEntries(
    Object.entries(cassetteMatchers).map(([name, matcher]) => [
      toName(name),
      toMatcher(matcher as OwnMatcher, toRun, renderers),
    ]),
  )

const toMatcher = (matcher: OwnMatcher, toRun: (received: unknown) => Subject, renderers: () => Renderers): Matcher =>
  function (this, received, ...args) {
    const { message, ...judgement } = matcher.call(this, toRun(received), ...args)
    return { ...judgement, message: () => message(renderers()) }
  }

/** In full: what a line leaves out could change unseen. */
const toTranscript = ({ trace }: Subject, { createStyle, renderConversation }: Renderers): string =>
  renderConversation(trace, { style: createStyle(), width: Number.MAX_SAFE_INTEGER })
