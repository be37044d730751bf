import { resolveMode } from '@retake/session'
import { checkOptions, type RetakeOptions, type RunSettings, withoutOwnFrames } from '@retake/session/runner'
import { ConfigError, isRetakeError } from '@retake/trace'
import { isCI } from 'std-env'
import type { EnvironmentConfig } from './circus.ts'

/**
 * What the configuration, the environment and the command line say for one test file: the options are
 * `testEnvironmentOptions.retake`.
 *
 * @throws ConfigError for options, or values of `RETAKE` and the command line, that mean nothing
 */
export const readSettings = (config: EnvironmentConfig): RunSettings => {
  try {
    return resolveSettings(config)
  } catch (error) {
    if (isRetakeError(error) && error.stack) error.stack = withoutOwnFrames(error.stack)
    throw error
  }
}

const resolveSettings = ({ globalConfig, projectConfig }: EnvironmentConfig): RunSettings => {
  const options = readOptions(projectConfig.testEnvironmentOptions.retake)
  const withSnapshots = options.updateWithSnapshots && globalConfig.updateSnapshot === 'all' ? 'update' : undefined
  const flag = process.env.RETAKE_FLAG || withSnapshots
  const sources = { env: process.env.RETAKE, flag, ci: isCI || globalConfig.ci }
  return { ...sources, options, mode: resolveMode({ ...sources, option: options.mode }) }
}

const readOptions = (options: unknown = {}): RetakeOptions => {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new ConfigError('testEnvironmentOptions.retake must be an object of options', { option: 'retake' })
  }
  checkOptions('testEnvironmentOptions.retake', options)
  return options
}

/** The time-out of a test while it may be recorded, where the user set none, in milliseconds. */
export const recordingTimeout = 120_000

export const hasOwnTimeout = ({ globalConfig, projectConfig }: EnvironmentConfig): boolean =>
  (projectConfig.testTimeout ?? globalConfig.testTimeout) !== undefined
