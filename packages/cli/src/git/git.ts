import { spawnSync } from 'node:child_process'
import { ConfigError } from '@retake/trace'

/** Where and with what git is run. */
export interface GitCall {
  cwd: string
  args: readonly string[]
  input?: string
}

/**
 * What git prints; undefined where it says no.
 * @throws ConfigError where git is not installed
 */
export const tryGit = ({ cwd, args, input = '' }: GitCall): Buffer | undefined => {
  const { error, status, stdout } = spawnSync('git', args, { cwd, input, maxBuffer: Number.POSITIVE_INFINITY })
  if (error && 'code' in error && error.code === 'ENOENT') throw new ConfigError('git is not installed here')
  return status === 0 ? stdout : undefined
}

/**
 * What git prints.
 * @throws ConfigError with `problem` where it says no
 */
export const runGit = (call: GitCall, problem: string): Buffer => {
  const out = tryGit(call)
  if (out === undefined) throw new ConfigError(problem, { git: call.args[0] })
  return out
}
