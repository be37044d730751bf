import { ConfigError } from '@retake/trace'
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

const modes: readonly Mode[] = ['auto', 'replay', 'update', 'off']
const flags = ['update', 'review'] as const
const launcherModes = ['record', 'fork']

/**
 * The mode of one cassette: `RETAKE`, else the option unless it is `auto`, else the flag, else `auto`. Under CI `auto`
 * and `update` become `replay`, unless `RETAKE=update` asks for the recording. An empty variable counts as unset.
 *
 * @throws ConfigError naming the source and the allowed values, also for a source that another one overrules
 */
export const resolveMode = ({ env, option, flag, ci }: ModeSources): Mode => {
  const fromEnv = readMode('RETAKE', env, modes)
  const fromOption = readMode('mode', option, modes)
  const fromFlag = readMode('RETAKE_FLAG', flag, flags) && 'update'

  if (fromEnv === 'update') return 'update'
  const mode = fromEnv ?? (fromOption === 'auto' ? undefined : fromOption) ?? fromFlag ?? 'auto'
  return ci && (mode === 'auto' || mode === 'update') ? 'replay' : mode
}

/** Whether the command line wants updates to wait: `--update-cassettes=review`. */
export const wantsReview = (flag: string | undefined): boolean => flag === 'review'

const readMode = <T extends string>(source: string, value: unknown, allowed: readonly T[]): T | undefined => {
  if (value === undefined || value === '') return undefined
  const mode = allowed.find((candidate) => candidate === value)
  if (mode !== undefined) return mode
  const hint = launcherModes.includes(value as string) ? ' (record and fork belong to the retake command)' : ''
  throw new ConfigError(`${source} is ${JSON.stringify(value)}, but it must be ${formatChoice(allowed)}${hint}`, {
    source,
    allowed: [...allowed],
  })
}

const formatChoice = (allowed: readonly string[]): string =>
  allowed.length === 1 ? `${allowed[0]}` : `${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}`
