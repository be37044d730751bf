import type { GlobalMatchers } from '@retake/report/expectations'
import { findHandle } from './test-side.ts'

export type { GlobalMatchers } from '@retake/report/expectations'

// Found only where it is imported.
import type {} from 'expect'

// Of `@jest/globals`. Members of its own: an interface of a package may be extended by no type that has parameters.
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> {
    toHaveCalledTool(...args: Parameters<GlobalMatchers['toHaveCalledTool']>): R
    toHaveCalledTools(...args: Parameters<GlobalMatchers['toHaveCalledTools']>): R
    toHaveToolError(...args: Parameters<GlobalMatchers['toHaveToolError']>): R
    toHaveModelCalls(...args: Parameters<GlobalMatchers['toHaveModelCalls']>): R
    toHaveFinalAnswer(...args: Parameters<GlobalMatchers['toHaveFinalAnswer']>): R
    toHaveEndedWith(...args: Parameters<GlobalMatchers['toHaveEndedWith']>): R
    toHaveUsedModel(...args: Parameters<GlobalMatchers['toHaveUsedModel']>): R
    toHaveSentSystemPrompt(...args: Parameters<GlobalMatchers['toHaveSentSystemPrompt']>): R
    toStayWithin(...args: Parameters<GlobalMatchers['toStayWithin']>): R
    toMatchTrace(...args: Parameters<GlobalMatchers['toMatchTrace']>): R
    toBeVerified(...args: Parameters<GlobalMatchers['toBeVerified']>): R
  }
}

// Of `@types/jest`.
declare global {
  namespace jest {
    interface Matchers<R, T> {
      toHaveCalledTool(...args: Parameters<GlobalMatchers['toHaveCalledTool']>): R
      toHaveCalledTools(...args: Parameters<GlobalMatchers['toHaveCalledTools']>): R
      toHaveToolError(...args: Parameters<GlobalMatchers['toHaveToolError']>): R
      toHaveModelCalls(...args: Parameters<GlobalMatchers['toHaveModelCalls']>): R
      toHaveFinalAnswer(...args: Parameters<GlobalMatchers['toHaveFinalAnswer']>): R
      toHaveEndedWith(...args: Parameters<GlobalMatchers['toHaveEndedWith']>): R
      toHaveUsedModel(...args: Parameters<GlobalMatchers['toHaveUsedModel']>): R
      toHaveSentSystemPrompt(...args: Parameters<GlobalMatchers['toHaveSentSystemPrompt']>): R
      toStayWithin(...args: Parameters<GlobalMatchers['toStayWithin']>): R
      toMatchTrace(...args: Parameters<GlobalMatchers['toMatchTrace']>): R
      toBeVerified(...args: Parameters<GlobalMatchers['toBeVerified']>): R
    }
  }
}

/**
 * Puts the matchers on the `expect` of Jest: `expect(cassette).toHaveCalledTool(…)`, of a cassette, a trace or a path.
 * For a file of `setupFilesAfterEnv`, or one test file.
 *
 * @returns false outside of Jest
 */
export const extendJestExpect = (): boolean => {
  const handle = findHandle()
  handle?.extendExpect()
  return handle !== undefined
}
