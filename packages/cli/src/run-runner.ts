import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '@retake/trace'

/** The test runners that a project may have. */
export type Runner = 'vitest' | 'jest'

export interface RunnerRun {
  runner: Runner
  /** Behind the name of the runner. */
  args: readonly string[]
  cwd: string
  /** Beside what this process has. */
  env: Readonly<Record<string, string>>
}

const programs = { vitest: 'node_modules/vitest/vitest.mjs', jest: 'node_modules/jest/bin/jest.js' }
export const runnerNames = { vitest: 'Vitest', jest: 'Jest' }

/**
 * Runs the tests of a project and waits for their end; what the runner prints is held back.
 * @returns what it printed
 * @throws ConfigError where it is not installed
 */
export const runRunner = ({ runner, args, cwd, env }: RunnerRun): string => {
  const { stdout, stderr, error } = spawnSync(process.execPath, [findProgram(runner, cwd), ...args], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  if (error) throw error
  return stdout + stderr
}

/**
 * Runs the tests of a project in this terminal.
 * @returns the runner's exit code; for one that a signal ended, 128 and the signal's number, as shells say it
 * @throws ConfigError where it is not installed
 */
export const startRunner = async ({ runner, args, cwd, env }: RunnerRun): Promise<number> => {
  const child = spawn(process.execPath, [findProgram(runner, cwd), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  // Ctrl-C in a terminal reaches both; what it means is for the runner to say.
  const pass = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of passedOn) process.on(signal, pass)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    })
  } finally {
    for (const signal of passedOn) process.off(signal, pass)
  }
}

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const findProgram = (runner: Runner, cwd: string): string => {
  for (const folder of foldersAbove(cwd)) {
    const file = join(folder, programs[runner])
    if (existsSync(file)) return file
  }
  throw new ConfigError(`${runnerNames[runner]} is not installed here; run this in your project`)
}

/** Every folder from this one up to the root. */
const foldersAbove = (folder: string): string[] => {
  const at = resolve(folder)
  return at === dirname(at) ? [at] : [at, ...foldersAbove(dirname(at))]
}
