import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { onDisk, refuseNoFile } from './cassette-disk.ts'

/**
 * Makes sure, before a run is paid for, that its file could be written. Nothing is written.
 * @throws ConfigError where it could not
 */
export const checkWritable = (path: string): void =>
  onDisk('written', path, () => {
    refuseOccupied(path)
    accessSync(nearestFolder(dirname(resolve(path))), constants.W_OK)
  })

/** A rename would put a file in the place of a pipe or a device. */
export function refuseOccupied(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there) refuseNoFile(there, 'written', path)
}

/** The folder that is there, of all that would be made. */
function nearestFolder(folder: string): string {
  const there = statSync(folder, { throwIfNoEntry: false })
  if (!there) return nearestFolder(dirname(folder))
  if (there.isDirectory()) return folder
  throw Object.assign(new Error('no folder'), { code: 'ENOTDIR' })
}
