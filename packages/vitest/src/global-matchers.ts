import { extendExpect as extend, type GlobalMatchers } from '@retake/report/expectations'
import { ConfigError } from '@retake/trace'
import { report } from './load-report.ts'
import { workerState } from './worker-state.ts'

export type { GlobalMatchers } from '@retake/report/expectations'

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
  extend(expect, report)
}
