import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  CassetteCorruptError,
  type CassetteFile,
  loadCassette,
  type TraceHeader,
  type VerifyReport,
  verifyCassette,
} from '@retake/trace'

export const cassetteExists = (path: string): boolean => existsSync(path)

/**
 * Reads a cassette that is to be replayed.
 * @throws CassetteCorruptError, CassetteConflictError, CassetteVersionError; also where the file parses but does not verify
 */
export function readCassette(path: string): CassetteFile {
  const file = loadWithRemedy(path)
  refuseUnverified(verifyCassette(file), path, 'the cassette does not verify', undoOrRecord)
  return file
}

const undoOrRecord = '\n  Undo the edit with git, or delete the file and record it again.'

function loadWithRemedy(path: string): CassetteFile {
  try {
    return loadCassette(path)
  } catch (error) {
    if (!(error instanceof CassetteCorruptError)) throw error
    throw new CassetteCorruptError(error.message + undoOrRecord, error.details, error)
  }
}

/** @throws CassetteCorruptError for the first check that failed; `what` begins its message */
export function refuseUnverified({ checks }: VerifyReport, path: string, what: string, remedy = ''): void {
  const failed = checks.find(({ status }) => status === 'fail')
  if (!failed) return
  const { name, where, detail } = failed
  throw new CassetteCorruptError(
    `${what}: ${name}${where ? ` at ${where}` : ''}: ${detail}\n  cassette  ${path}${remedy}`,
    { path, check: name, where },
  )
}

/** Identity of a recording; an update keeps that of the file it replaces. */
export const headerFor = (path: string, createdAt: number, id?: string): TraceHeader => ({
  id: id ?? readOld(path)?.trace.id ?? `run_${randomBytes(4).toString('hex')}`,
  createdAt,
})

/** When the run of a file began; undefined where there is none to keep. */
export const recordedAt = (path: string): number | undefined => readOld(path)?.trace.createdAt

/** What an update replaces; a file that is broken or does not verify is replaced like a missing one. */
export function readOld(path: string): CassetteFile | undefined {
  if (!cassetteExists(path)) return undefined
  try {
    const file = loadCassette(path)
    return verifyCassette(file).checks.some(({ status }) => status === 'fail') ? undefined : file
  } catch {
    return undefined
  }
}
