import { basename, relative, resolve } from 'node:path'
import { ConfigError, isRetakeError, readText } from '@retake/trace'
import { isCI } from 'std-env'
import type { CassetteOptions, Mode, OpenCassette } from '../cassette.ts'
import type { ForkOptions } from '../fork/fork-options.ts'
import { resolveMode, wantsReview } from '../mode.ts'
import { quoteArgument } from '../quote-argument.ts'
import { isOfOtherTool } from '../replay/read-from.ts'
import type { ScriptedReply } from '../script/scripted-reply.ts'
import { type LaunchEnvironment, readEnvironment } from './environment.ts'

/** Options of `createSession`. Where one is not given, the variables of `retake record` and `retake replay` count. */
export interface SessionOptions extends Omit<CassetteOptions, 'name' | 'mode'> {
  /** `record` is `update`. [auto] */
  mode?: Mode | 'record'
  /** Path of the cassette file; a `script` needs none. [RETAKE_CASSETTE, else the file of `from`] */
  cassette?: string
  /** Path of the file that a fork is written to. [RETAKE_OUT, else beside the cassette] */
  out?: string
  /** Id of the trace that is recorded. [RETAKE_ID, else that of the file it replaces, else a new one] */
  id?: string
  /** What messages call this run. [the name of the file] */
  label?: string
  /** An update does not replace the cassette: it waits beside it, as a take, to be accepted. [false] */
  review?: boolean
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
  if (launched.report !== undefined) refuseOverride(options, launched, env)
  const { mode, cassette: _, out: __, id = launched.id, label, fork, ...rest } = options
  const { match = launched.match, http = launched.http, allow = [], ...others } = rest
  const files = toFiles(options, fork !== undefined, launched)
  const forked = fork ?? toFork(launched)
  const isLaunched = launched.report !== undefined
  const name = basename(files.path).replace(/(\.cassette)?\.json$/, '')
  const open: OpenCassette = {
    ...others,
    ...files,
    ...(match && { match }),
    ...(http && { http }),
    allow: [...allow, ...(launched.allow ?? [])],
    review: rest.review ?? launched.review ?? wantsReview(env.RETAKE_FLAG),
    ...(id && { id }),
    ...(forked && { fork: forked }),
    name,
    runKind: isLaunched ? 'run' : 'session',
    ...(launched.script !== undefined && { scriptName: relative(process.cwd(), launched.script) }),
    ...(isLaunched && launched.launch === undefined && isOfOtherTool(files.path) && { from: files.path }),
    mode: toMode(mode, launched, env),
    test: { file: '', name: label ?? name },
    ci: isCI,
    ...(isLaunched && { again: againOf(files.path, launched) }),
  }
  return { open, report: launched.report }
}

type Files = Pick<SessionOptions, 'cassette' | 'out' | 'from' | 'script'>

/** The file of this run, and for a fork the one it starts as. */
function toFiles(
  { cassette, out, from: replayed, script }: Files,
  isFork: boolean,
  launched: LaunchEnvironment,
): Pick<OpenCassette, 'path' | 'parent'> {
  const from = cassette ?? launched.cassette
  const to = out ?? launched.out
  if ((isFork || launched.launch === 'fork') && from && to) return { path: resolve(to), parent: resolve(from) }
  const path = (launched.launch === 'record' ? (cassette ?? to ?? from) : from) ?? replayed ?? (script && 'scripted')
  if (path) return { path: resolve(path) }
  throw new ConfigError('a session needs the path of a cassette: `createSession({ cassette })`, or RETAKE_CASSETTE')
}

function toFork({ launch, forkAt, forkSet, continueWith, script }: LaunchEnvironment): ForkOptions | undefined {
  if (launch !== 'fork') return undefined
  if (forkAt === undefined) throw new ConfigError('RETAKE=fork needs RETAKE_FORK_AT', { variable: 'RETAKE_FORK_AT' })
  if (continueWith !== 'live' && script === undefined) {
    throw new ConfigError('RETAKE=fork needs RETAKE_CONTINUE=live, or RETAKE_SCRIPT', { variable: 'RETAKE_SCRIPT' })
  }
  const then = continueWith === 'live' || script === undefined ? 'live' : readReplies(script)
  return { at: forkAt, ...(forkSet !== undefined && { set: forkSet }), then }
}

/** What is no reply in it is refused where it is used. */
function readReplies(path: string): ScriptedReply[] {
  try {
    const replies: unknown = JSON.parse(readText(path))
    if (Array.isArray(replies)) return replies
  } catch (error) {
    if (isRetakeError(error)) throw error
  }
  throw new ConfigError(`the script must be a JSON list of replies: ${path}`, { variable: 'RETAKE_SCRIPT', path })
}

function againOf(path: string, { command = '<the same command>', allow, http, baseUrl }: LaunchEnvironment): string {
  const given = { out: relative(process.cwd(), path), allow: allow?.join(','), http, 'base-url': baseUrl }
  const options = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoteArgument(value)}`],
  )
  return ['npx retake record', ...options, '--', command].join(' ')
}

function toMode(option: SessionOptions['mode'], { launch }: LaunchEnvironment, env: NodeJS.ProcessEnv): Mode {
  if (launch !== undefined) return 'update'
  return resolveMode({ env: env.RETAKE, option: toTestMode(option), flag: env.RETAKE_FLAG, ci: isCI })
}

const toTestMode = (mode: SessionOptions['mode']): Mode | undefined => (mode === 'record' ? 'update' : mode)

/** A command that was told one thing and does another would report what nobody asked for. */
function refuseOverride(options: SessionOptions, launched: LaunchEnvironment, env: NodeJS.ProcessEnv): void {
  const { mode, match, http } = options
  const isOther = (given: string | undefined, told: string | undefined) =>
    given !== undefined && resolve(given) !== (told && resolve(told))
  // What `record` writes is the cassette of the session.
  const cassette = launched.launch === 'record' ? launched.out : launched.cassette
  const overrides = [
    ...(mode && mode !== 'auto' && toTestMode(mode) !== toMode(undefined, launched, env) ? ['mode'] : []),
    ...(isOther(options.cassette, cassette) ? ['cassette'] : []),
    ...(isOther(options.out, launched.out) ? ['out'] : []),
    ...(match && match !== (launched.match ?? 'strict') ? ['match'] : []),
    ...(http && launched.http && http !== launched.http ? ['http'] : []),
    ...(options.fork || options.script ? ['fork, script'] : []),
  ]
  if (overrides.length === 0) return
  throw new ConfigError(
    `the options of createSession override the CLI: ${overrides.join(', ')}\n` +
      '  Leave them out where the retake command starts this process, or start it without the command.',
    { options: overrides },
  )
}
