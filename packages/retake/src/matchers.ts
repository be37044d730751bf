import { extendExpect } from '@retake/vitest/matchers'

extendExpect()
