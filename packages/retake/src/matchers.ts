import { extendJestExpect } from '@retake/jest/matchers'
import { extendExpect } from '@retake/vitest/matchers'

// It also keeps the declarations for the global `expect` in the types of this entry.
export type { GlobalMatchers } from '@retake/vitest/matchers'

if (!extendJestExpect()) extendExpect()
