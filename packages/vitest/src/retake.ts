import { fileURLToPath } from 'node:url'
import { resolveMode } from '@retake/session'
import { isCI } from 'std-env'
import type { VitestPluginContext } from 'vitest/node'
import { addCassetteReporter } from './cassette-reporter.ts'
import { checkOptions, type RetakeOptions } from './check-options.ts'
import { readUpdateFlag } from './update-flag.ts'

export interface RetakePlugin {
  name: 'retake'
  configureVitest(context: VitestPluginContext): void
}

// In the repository the sources run as they are; the package has the setup file beside the file of this code.
const setupFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './setup.ts' : './vitest-setup.mjs', import.meta.url),
)

/** The time-out of a test while it may be recorded, where the user set none, in milliseconds. */
const recordingTimeout = 120_000
const defaultTimeout = 5_000

/**
 * The Vitest plugin: `plugins: [retake()]`. The options are the defaults of every `useCassette()`, and where cassettes lie.
 *
 * @throws ConfigError for options, or values of `RETAKE` and the command line, that mean nothing
 */
export const retake = (options: RetakeOptions = {}): RetakePlugin => {
  checkOptions('retake()', options)
  return {
    name: 'retake',
    configureVitest({ vitest, project }) {
      const { config } = project
      // A browser has no file system to record to; useCassette() says there that the plugin is not active.
      if (config.browser.enabled) return
      const ci = isCI
      const env = process.env.RETAKE
      const flag = readUpdateFlag(vitest, { argv: process.argv, env: process.env, ci })
      const mode = resolveMode({ env, option: options.mode, flag, ci })

      if (!config.setupFiles.includes(setupFile)) config.setupFiles.unshift(setupFile)
      project.provide('retake', { env, flag, ci, options })
      if ((mode === 'auto' || mode === 'update') && config.testTimeout === defaultTimeout) {
        config.testTimeout = recordingTimeout
      }
      addCassetteReporter(vitest)
    },
  }
}
