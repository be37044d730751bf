import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ConfigError } from '@retake/trace'

export interface ChildRun {
  /** Program and arguments; one argument with spaces is for a shell. */
  command: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** Where its output goes: 1 is that of this process, 2 its standard error. [1] */
  output?: 1 | 2
}

/**
 * Runs a program in this terminal.
 * @returns its exit code; for one that a signal ended, 128 and the signal's number, as shells say it
 * @throws ConfigError where it cannot be started
 */
export const runChild = async (run: ChildRun): Promise<number> => {
  const child = start(run)
  // Ctrl-C in a terminal reaches both; what it means is for the child to say.
  const pass = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of passedOn) process.on(signal, pass)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (error) => reject(notStarted(run, error)))
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    })
  } finally {
    for (const signal of passedOn) process.off(signal, pass)
  }
}

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const start = ({ command: [program = '', ...args], cwd, env, output = 1 }: ChildRun): ChildProcess => {
  const options: SpawnOptions = { cwd, env, stdio: ['inherit', output, 'inherit'] }
  const isLine = args.length === 0 && /\s/.test(program)
  return isLine ? spawn(program, { ...options, shell: true }) : spawn(program, args, options)
}

const notStarted = ({ command: [program = ''] }: ChildRun, error: NodeJS.ErrnoException): ConfigError =>
  new ConfigError(
    error.code === 'ENOENT' ? `there is no command "${program}"` : `"${program}" cannot be started: ${error.message}`,
    { program, reason: error.code },
    error,
  )
