import { modelMatchers } from './model-matchers.ts'
import { toolMatchers } from './tool-matchers.ts'
import { traceMatchers } from './trace-matchers.ts'

/** Everything that can be expected of a run, for the `extend` of a runner's `expect`. */
export const cassetteMatchers = { ...toolMatchers, ...modelMatchers, ...traceMatchers }
