import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '@retake/trace'
import { runChild } from './launch/run-child.ts'

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
 * @returns what it printed, and its exit code
 * @throws ConfigError where it is not installed
 */
export const runRunner = ({ runner, args, cwd, env }: RunnerRun): { output: string; exitCode: number } => {
  const { stdout, stderr, error, status } = spawnSync(process.execPath, [findProgram(runner, cwd), ...args], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  if (error) throw error
  return { output: stdout + stderr, exitCode: status ?? 1 }
}

/**
 * Runs the tests of a project in this terminal.
 * @returns the runner's exit code, as `runChild`
 * @throws ConfigError where it is not installed
 */
export const startRunner = async ({ runner, args, cwd, env }: RunnerRun): Promise<number> =>
  runChild({ command: [process.execPath, findProgram(runner, cwd), ...args], cwd, env: { ...process.env, ...env } })

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
