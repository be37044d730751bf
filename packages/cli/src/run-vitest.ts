import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
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

const findVitest = (cwd: string): string => {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const file = join(folder, 'node_modules/vitest/vitest.mjs')
    if (existsSync(file)) return file
    if (folder === dirname(folder)) throw new ConfigError('Vitest is not installed here; run this in your project')
  }
}
