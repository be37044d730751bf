import { writeFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'
import { type RetakeError, readText } from '@retake/trace'
import { CassetteBusyError } from '../errors.ts'
import { type StoredError, toStoredError } from './stored-error.ts'
import type { FinishSummary } from './summary.ts'

/** What the `retake` command is told. */
export type Report =
  | ({ ok: true /** For a session that code opened. */; finished?: boolean } & FinishSummary)
  | { ok: false; mode: FinishSummary['mode']; error: StoredError }

export const writeReport = (path: string, report: Report): void => writeFileSync(path, JSON.stringify(report))

/**
 * Takes the cassette of a command for this process: it holds the run of one, and children inherit the environment.
 * @returns why not, where another process has it
 */
export function claimRun(report: string, cassette: string): RetakeError | undefined {
  const self = `${process.pid}.${threadId}`
  const claim = `${report}.claim`
  try {
    writeFileSync(claim, self, { flag: 'wx' })
    return undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const owner = readText(claim)
  if (owner === self) return undefined
  const refusal = new CassetteBusyError(
    `two processes of this command made model calls (${owner} and ${self}); a cassette holds the run of one\n` +
      `  cassette  ${cassette}\n` +
      '  Record them one by one, or give the other process the base URL of a session: `await session.baseURL(…)`.',
    { path: cassette },
  )
  // Beside the report, which the owner is still to write or has written: it tells of its own run only.
  writeReport(`${report}.refused`, { ok: false, mode: 'off', error: toStoredError(refusal) })
  return refusal
}
