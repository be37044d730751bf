import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { CassetteResult } from '../cassette.ts'
import type { CassetteWrite } from '../write-cassette.ts'
import { type StoredError, toStoredError } from './stored-error.ts'

export type Written = { kind: CassetteResult['kind'] } | { error: StoredError }

const writer = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './exit-writer.ts' : './exit-writer.mjs', import.meta.url),
)

/**
 * Writes a recording while this process exits. The search for secrets is asynchronous, which nothing here can be any
 * more, so another process does it.
 */
export function writeAtExit(write: CassetteWrite): Written {
  const { RETAKE: _, NODE_OPTIONS: __, ...env } = process.env
  const { stdout, error } = spawnSync(process.execPath, [writer], {
    env,
    input: JSON.stringify(write),
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  try {
    return JSON.parse(stdout) as Written
  } catch {
    return { error: toStoredError(error ?? new Error('the recording could not be written while the process ended')) }
  }
}
