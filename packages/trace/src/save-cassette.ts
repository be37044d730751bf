import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { onDisk } from './cassette-disk.ts'
import type { CassetteFile } from './cassette-file.ts'
import { refuseOccupied } from './check-writable.ts'
import { formatCassette } from './format-cassette.ts'
import { refuseSecrets, type SecretOptions } from './secrets/secrets.ts'
import type { Trace } from './trace.ts'

/**
 * Writes a cassette file in its own format, whole or not at all; makes its folder.
 * @throws SecretFoundError where it holds a credential or one of `secrets.literals`; nothing is written then
 * @throws ConfigError where the file cannot be written
 */
export function saveCassette(file: CassetteFile, path: string, secrets: SecretOptions = {}): void {
  const { trace, test, extras } = file
  refuseSecrets(trace, secrets)
  refuseSecrets({ test, extras }, secrets)
  writeText(path, formatCassette(file))
}

/**
 * Writes a trace as a v2 cassette file, whole or not at all; makes its folder.
 * @throws SecretFoundError where it holds a credential or one of `secrets.literals`; nothing is written then
 * @throws ConfigError where the file cannot be written
 */
export const saveTrace = (trace: Trace, path: string, secrets: SecretOptions = {}): void =>
  saveCassette({ trace, format: 'v2', extras: [] }, path, secrets)

function writeText(path: string, text: string): void {
  onDisk('written', path, () => {
    refuseOccupied(path)
    mkdirSync(dirname(path), { recursive: true })
    writeFileAtomic.sync(path, text)
  })
}
