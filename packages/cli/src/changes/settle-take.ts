import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { CassetteCorruptError, ConfigError, loadCassette, verifyCassette } from '@retake/trace'
import { firstFault } from './compare-sides.ts'
import { findTakes, type Take } from './takes.ts'

/**
 * Puts a take in the place of its cassette, in one step.
 * @throws ConfigError for one that is stale, or that is gone in the meantime
 * @throws CassetteCorruptError for one that does not verify
 */
export const acceptTake = (take: Take, cwd: string): void => {
  const path = resolve(cwd, take.path)
  if (!existsSync(path)) throw new ConfigError(`${take.path} is gone`, { path: take.path })
  // The cassette may have changed since the list was made.
  const stale = findTakes(cwd).find((other) => other.path === take.path)?.stale
  if (stale !== undefined) {
    throw new ConfigError(`${take.path} cannot be accepted: ${stale}\n  Record again, or retake reject ${take.path}`, {
      path: take.path,
    })
  }
  const fault = firstFault(verifyCassette(loadCassette(path)))
  if (fault !== undefined) {
    throw new CassetteCorruptError(`${take.path} cannot be accepted: ${fault}`, { path: take.path })
  }
  renameSync(path, resolve(cwd, take.cassette))
}

/** Deletes a take; the cassette stays as it is. */
export const rejectTake = ({ path }: Take, cwd: string): void => rmSync(resolve(cwd, path), { force: true })
