import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ConfigError } from '@retake/trace'

export interface VitestRun {
  /** Behind `vitest`. */
  args: readonly string[]
  cwd: string
  /** Beside what this process has. */
  env: Readonly<Record<string, string>>
}

/**
 * Runs the Vitest of a project and waits for its end; what it prints is held back.
 * @returns what it printed
 * @throws ConfigError where no Vitest is installed
 */
export const runVitest = ({ args, cwd, env }: VitestRun): string => {
  const { stdout, stderr, error } = spawnSync(process.execPath, [findVitest(cwd), ...args], {
    cwd,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  if (error) throw error
  return stdout + stderr
}

/**
 * Runs the Vitest of a project in this terminal.
 * @returns its exit code; for one that a signal ended, 128 and the signal's number, as shells say it
 * @throws ConfigError where no Vitest is installed
 */
export const startVitest = async ({ args, cwd, env }: VitestRun): Promise<number> => {
  const child = spawn(process.execPath, [findVitest(cwd), ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  // Ctrl-C in a terminal reaches both; what it means is for Vitest to say.
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

const findVitest = (cwd: string): string => {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules/vitest/vitest.mjs')
    if (existsSync(file)) return file
    if (folder === dirname(folder)) throw new ConfigError('Vitest is not installed here; run this in your project')
  }
}
