import { extendJestExpect } from '@retake/jest/matchers'
import { ConfigError } from '@retake/trace'

export type { GlobalMatchers } from '@retake/jest/matchers'

// What `retake/matchers` is for `require`: the tests of Vitest are modules.
if (!extendJestExpect()) {
  throw new ConfigError("retake/matchers needs the environment of retake: testEnvironment: 'retake/jest/node'")
}
