import { basename, relative, resolve } from 'node:path'
import { ConfigError } from '@retake/trace'
import { isCI } from 'std-env'
import type { CassetteOptions, Mode, OpenCassette } from '../cassette.ts'
import { resolveMode } from '../mode.ts'
import { quoteArgument } from '../quote-argument.ts'
import { type LaunchEnvironment, readEnvironment } from './environment.ts'

export interface SessionOptions extends Omit<CassetteOptions, 'name' | 'mode'> {
  /** `record` is `update`. [auto] */
  mode?: Mode | 'record'
  /** Path of the cassette file. [RETAKE_CASSETTE] */
  cassette?: string
  /** Id of the trace that is recorded. [RETAKE_ID, else that of the file it replaces, else a new one] */
  id?: string
  /** What messages call this run. [the name of the file] */
  label?: string
}

export interface SessionSettings {
  open: OpenCassette
  /** Where the `retake` command waits to be told how it ended. */
  report: string | undefined
}

/**
 * Options from code win over the environment; what the `retake` command was told, nobody overrides.
 * @throws ConfigError without a cassette, for a bad variable, and for options that contradict the command line
 */
export function toSessionSettings(options: SessionOptions, env: NodeJS.ProcessEnv = process.env): SessionSettings {
  const launched = readEnvironment(env)
  const { mode: option, cassette, id = launched.id, label, match = launched.match, ...rest } = options
  const path = toPath(cassette, launched)
  const mode = toMode(option === 'record' ? 'update' : option, launched, env)
  if (launched.report !== undefined) refuseOverride(options, { path, mode }, launched)
  const name = basename(path).replace(/(\.cassette)?\.json$/, '')
  const open: OpenCassette = {
    ...rest,
    ...(match && { match }),
    ...(id && { id }),
    name,
    path,
    mode,
    test: { file: '', name: label ?? name },
    ci: isCI,
    ...(launched.report !== undefined && { again: againOf(path, launched) }),
  }
  return { open, report: launched.report }
}

function toPath(cassette: string | undefined, launched: LaunchEnvironment): string {
  const path = cassette ?? (launched.launch === 'record' ? (launched.out ?? launched.cassette) : launched.cassette)
  if (path) return resolve(path)
  throw new ConfigError('a session needs the path of a cassette: `createSession({ cassette })`, or RETAKE_CASSETTE')
}

const againOf = (path: string, { command = '<the same command>' }: LaunchEnvironment): string =>
  `npx retake record --out ${quoteArgument(relative(process.cwd(), path))} -- ${command}`

function toMode(option: Mode | undefined, { launch }: LaunchEnvironment, env: NodeJS.ProcessEnv): Mode {
  if (launch === 'record') return 'update'
  return resolveMode({ env: env.RETAKE, option, flag: env.RETAKE_FLAG, ci: isCI })
}

/** A command that was told one thing and does another would report what nobody asked for. */
function refuseOverride(
  { mode, cassette, match }: SessionOptions,
  settled: { path: string; mode: Mode },
  launched: LaunchEnvironment,
): void {
  const asked = launched.launch === 'record' ? (launched.out ?? launched.cassette) : launched.cassette
  const overrides = [
    ...(mode && mode !== 'auto' && (mode === 'record' ? 'update' : mode) !== settled.mode ? ['mode'] : []),
    ...(cassette && asked && resolve(cassette) !== resolve(asked) ? ['cassette'] : []),
    ...(match && launched.match && match !== launched.match ? ['match'] : []),
  ]
  if (overrides.length === 0) return
  throw new ConfigError(
    `the options of createSession override the CLI: ${overrides.join(', ')}\n` +
      '  Leave them out where the retake command starts this process, or start it without the command.',
    { options: overrides },
  )
}
