import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, checkWritable } from '@retake/trace'
import { exitCode as exitCodeOfRetake } from '../command.ts'
import { formatCommand } from './format-command.ts'
import { startHost } from './host.ts'
import { isClaimed, type Report, readReport } from './report.ts'
import { type ChildRun, runChild } from './run-child.ts'

export interface Launch {
  mode: 'record' | 'replay' | 'fork'
  /** Program and arguments; one argument with spaces is for a shell. */
  command: readonly string[]
  cwd: string
  /** What the session is told, without the prefix `RETAKE_`. Paths are absolute. */
  told: Readonly<Partial<Record<Variable, string>>>
}

/** The variables of the launcher. */
const variables = [
  'CASSETTE',
  'OUT',
  'ID',
  'FORK_AT',
  'FORK_SET',
  'CONTINUE',
  'SCRIPT',
  'MATCH',
  'ALLOW',
  'HTTP',
  'REVIEW',
  'BASE_URL',
  'COMMAND',
  'REPORT',
] as const
type Variable = (typeof variables)[number]

export interface Launched {
  /** Of the command; 128 and the signal's number where a signal ended it. */
  exitCode: number
  /** What its session told; undefined where it had none, or was killed. */
  report: Report | undefined
  /** A process of it made a model call. */
  isUsed: boolean
  /** It knew its session by base URLs only. */
  isBeside: boolean
}

/**
 * Runs a command with a session in each Node that it starts, and waits for its end.
 * @throws ConfigError for a command that cannot be started, and for a file that could not be written
 */
export const launch = async ({ mode, command, cwd, told }: Launch): Promise<Launched> => {
  if (told.OUT !== undefined) checkWritable(told.OUT)
  const folder = mkdtempSync(join(tmpdir(), 'retake-'))
  const report = join(folder, `report-${randomUUID()}.json`)
  const restore = keep(told.OUT)
  try {
    const env = toEnvironment(process.env, {
      ...told,
      RETAKE: mode,
      COMMAND: formatCommand(command),
      REPORT: report,
    })
    const exitCode = await (told.BASE_URL === undefined
      ? runChild({ command, cwd, env })
      : runBeside({ command, cwd, env }, report))
    const ended = readReport(report)
    if (ended?.ok === false) restore()
    return { exitCode, report: ended, isUsed: isClaimed(report), isBeside: told.BASE_URL !== undefined }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Runs a command beside a session that it knows by base URLs only. A Node in it has no other one.
 * @throws ConfigError where there is no such session
 */
const runBeside = async ({ command, cwd, env }: ChildRun, report: string): Promise<number> => {
  const host = await startHost(cwd, env)
  if (!host) {
    const told = readReport(report)
    throw new ConfigError(told?.ok === false ? told.error.message : 'the session for --base-url could not be started')
  }
  let exitCode: number = exitCodeOfRetake.no
  try {
    exitCode = await runChild({ command, cwd, env: { ...withoutSession(process.env), ...host.variables } })
    return exitCode
  } finally {
    await host.end(exitCode)
  }
}

/**
 * Keeps a file as it is. A process may have written its recording before another one made the run fail.
 * @returns what puts it back
 */
const keep = (path: string | undefined): (() => void) => {
  if (path === undefined) return () => {}
  const before = readIfFile(path)
  return () => {
    const after = readIfFile(path)
    if (after === undefined || before?.equals(after)) return
    if (before === undefined) rmSync(path)
    else writeFileSync(path, before)
  }
}

const readIfFile = (path: string): Buffer | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : undefined

/** Stale values must not leak into the run. */
const toEnvironment = (
  inherited: NodeJS.ProcessEnv,
  { RETAKE, ...told }: Partial<Record<Variable, string>> & { RETAKE: string },
): NodeJS.ProcessEnv => {
  const own = Object.entries(told).map(([name, value]) => [`RETAKE_${name}`, value])
  return {
    ...withoutSession(inherited),
    ...Object.fromEntries(own),
    RETAKE,
    NODE_OPTIONS: withPreload(inherited.NODE_OPTIONS),
  }
}

const stale = ['RETAKE', 'RETAKE_FLAG', ...variables.map((name) => `RETAKE_${name}`)]

const withoutSession = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !stale.includes(name)))

/** The preload of this copy of retake, wherever the command runs. */
const preload = new URL(
  import.meta.url.endsWith('.ts') ? '../../../retake/src/register.ts' : './register.mjs',
  import.meta.url,
)

const withPreload = (options = ''): string => {
  const own = `--import=${preload.href}`
  return [...options.split(' ').filter((option) => option !== '' && option !== own), own].join(' ')
}
