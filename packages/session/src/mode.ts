import type { Mode } from './cassette.ts'

export interface ModeSources {
  /** `RETAKE` of the environment. */
  env?: string | undefined
  /** The option in code. */
  option?: Mode | undefined
  /** `RETAKE_FLAG`: what the command line said. */
  flag?: string | undefined
  ci: boolean
}
