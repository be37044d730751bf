import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { ConfigError } from '@retake/trace'
import writeFileAtomic from 'write-file-atomic'
import type { WrittenRun } from './run-format.ts'
import { saveFolder } from './stepfork/save-bundle.ts'

/**
 * Writes what a format gave, whole or not at all; makes the folders above it. A file is replaced, a folder with something
 * in it is not.
 * @throws ConfigError where it cannot be written
 */
export function saveRun(written: WrittenRun, path: string): void {
  if ('files' in written) {
    saveFolder(written.files, path, {})
    return
  }
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileAtomic.sync(path, written.text)
  } catch (error) {
    throw new ConfigError(`the file cannot be written\n  ${path}`, { path }, error)
  }
}
