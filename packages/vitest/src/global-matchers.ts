import { ConfigError } from '@retake/trace'
import type { CassetteMatchers } from './expect-cassette.ts'
import { cassetteMatchers } from './matchers/cassette-matchers.ts'
import type { MatcherContext, Verdict } from './matchers/matcher.ts'
import { type Subject, toSubject } from './subject.ts'
import { workerState } from './worker-state.ts'

// Without type parameters, and with members of its own, since Vitest 4 and 5 give the interface different ones.
declare module 'vitest' {
  interface Matchers {
    toHaveCalledTool: GlobalMatchers['toHaveCalledTool']
    toHaveCalledTools: GlobalMatchers['toHaveCalledTools']
    toHaveToolError: GlobalMatchers['toHaveToolError']
    toHaveModelCalls: GlobalMatchers['toHaveModelCalls']
    toHaveFinalAnswer: GlobalMatchers['toHaveFinalAnswer']
    toHaveEndedWith: GlobalMatchers['toHaveEndedWith']
    toHaveUsedModel: GlobalMatchers['toHaveUsedModel']
    toHaveSentSystemPrompt: GlobalMatchers['toHaveSentSystemPrompt']
    toStayWithin: GlobalMatchers['toStayWithin']
    toMatchTrace: GlobalMatchers['toMatchTrace']
    toBeVerified: GlobalMatchers['toBeVerified']
  }
}

/** What `expect(cassette)` has: all but the snapshot, which belongs to the runner's own matchers. */
export type GlobalMatchers = Omit<CassetteMatchers, 'not' | 'toMatchTranscriptSnapshot'>

type Matcher = (this: MatcherContext, subject: Subject, ...args: never[]) => Verdict

/**
 * Puts the matchers on the `expect` of the runner: `expect(cassette).toHaveCalledTool(…)`, of a cassette, a trace or a
 * path. For a setup file of the project, or one test file.
 *
 * @throws ConfigError without the plugin
 */
export const extendExpect = (): void => {
  const expect = workerState()?.vitest.expect
  if (!expect) {
    throw new ConfigError('retake/matchers needs the plugin: add retake() to the plugins of the Vitest config')
  }
  const onReceived = (matcher: Matcher) =>
    function (this: MatcherContext, received: Parameters<typeof toSubject>[0], ...args: never[]): Verdict {
      return matcher.call(this, toSubject(received), ...args)
    }
  const entries = Object.entries(cassetteMatchers).map(([name, matcher]) => [name, onReceived(matcher as Matcher)])
  expect.extend(Object.fromEntries(entries))
}
