import { checkOptions, type RetakeOptions } from '@retake/session/runner'
import type { VitestPluginContext } from 'vitest/node'
import type { WrittenConfig } from './recording-timeout.ts'

export interface RetakePlugin {
  name: 'retake'
  config(written: WrittenConfig): void
  configureVitest(context: VitestPluginContext): Promise<void>
}

/**
 * The Vitest plugin: `plugins: [retake()]`. The options are the defaults of every `useCassette()`, and where cassettes lie.
 *
 * @throws ConfigError for options, or values of `RETAKE` and the command line, that mean nothing, and below Node 22.12
 */
export const retake = (options: RetakeOptions = {}): RetakePlugin => {
  checkOptions('retake()', options)
  let written: WrittenConfig = {}
  return {
    name: 'retake',
    config({ test }) {
      written = test ? { test: { ...test } } : {}
    },
    async configureVitest(context) {
      // Test files import this module too, for `useCassette()`, and need nothing of the plugin.
      const { configureVitest } = await import('./configure-vitest.ts')
      configureVitest(context, options, written)
    },
  }
}
