import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A Node of this machine that is below the floor of retake; undefined where there is none. */
export const findOldNode = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((path) => existsSync(path) && isOld(execFileSync(path, ['--version'], { encoding: 'utf8' })))

const isOld = (version: string): boolean => {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number)
  return major < 22 || (major === 22 && minor < 12)
}
