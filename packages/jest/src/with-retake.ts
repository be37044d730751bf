import { requireNode } from '@retake/session/runner'
import {
  createAllowance,
  installSeam,
  type Realm,
  setPlaceholderAwsKey,
  setPlaceholderKeys,
  takeLateErrors,
  watchOutside,
} from '@retake/session/set-up'
import type { Environment, EnvironmentConfig, EnvironmentContext } from './circus.ts'
import { followEvents } from './follow-events.ts'
import { createHandle } from './handle.ts'
import { handleKey } from './handle-key.ts'
import { late } from './load-late.ts'
import { hasOwnTimeout, readSettings } from './settings.ts'
import { createTestFile, type TestFile } from './test-file.ts'

// biome-ignore lint/suspicious/noExplicitAny: TypeScript asks this of a class that is extended
type EnvironmentClass = new (...args: any[]) => Environment

interface TestGlobals extends Realm {
  process: { env: NodeJS.ProcessEnv }
  [handleKey]?: unknown
}

/**
 * An environment of Jest in which tests have cassettes: `module.exports = withRetake(MyEnvironment)`. Options are in
 * `testEnvironmentOptions.retake`.
 *
 * @throws ConfigError for options, or values of `RETAKE` and the command line, that mean nothing, and below Node 22.12
 */
export const withRetake = <T extends EnvironmentClass>(Base: T): T =>
  class extends Base {
    // biome-ignore lint/suspicious/noExplicitAny: TypeScript asks this of a class that is extended
    constructor(...args: any[]) {
      requireNode()
      const [config, context, ...rest] = args as [EnvironmentConfig, EnvironmentContext]
      const settings = readSettings(config)
      super(withoutOwnOptions(config), context, ...rest)
      const globals = this.global as TestGlobals
      const file = createTestFile(context.testPath, settings, globals)
      if (settings.mode !== 'off') prepare(file, globals)
      Object.defineProperty(globals, handleKey, { value: protect(createHandle(file)), configurable: true })

      const mayRecord = settings.mode === 'auto' || settings.mode === 'update'
      const follow = followEvents(file, config.projectConfig.rootDir, mayRecord && !hasOwnTimeout(config))
      // Wherever the other class has its own: in its prototype, below this one, or as a member.
      const others = this.handleTestEvent
      this.handleTestEvent = async (event, state) => {
        await others?.call(this, event, state)
        await follow(event, state)
      }
    }

    override async teardown(): Promise<void> {
      await super.teardown()
      installSeam()
      watchOutside(undefined)
    }
  }

/** The rest become globals of the test file. */
const withoutOwnOptions = (config: EnvironmentConfig): EnvironmentConfig => {
  const { retake: _, ...testEnvironmentOptions } = config.projectConfig.testEnvironmentOptions
  return { ...config, projectConfig: { ...config.projectConfig, testEnvironmentOptions } }
}

const prepare = (file: TestFile, globals: TestGlobals): void => {
  const { settings } = file
  // Of a file before this one in the same process, which has no one left to tell.
  takeLateErrors()
  installSeam(globals)
  const isForbidden = (settings.options.withoutCassette ?? (settings.ci ? 'error' : 'allow')) === 'error'
  watchOutside(isForbidden ? createRefusals(file) : undefined)
  // Clients are made when their module is imported, long before it is known that a replay needs no key.
  const { env } = globals.process
  setPlaceholderKeys(env)
  if (settings.mode !== 'update') setPlaceholderAwsKey(env)
}

const createRefusals = (file: TestFile): Parameters<typeof watchOutside>[0] => ({
  load: async () => late().startSeam(),
  allows: createAllowance(file.settings.options.allow).url,
  refused(scope, url) {
    const run = file.byScope.get(scope)
    if (run) run.refusedUrl ??= url
  },
})

/** Jest 30 takes apart what it finds among the globals of a file that is over, but not this. */
const protect = <T extends object>(value: T): T =>
  Object.defineProperty(value, Symbol.for('$$jest-protect-from-deletion'), { value: Object.keys(value) })
