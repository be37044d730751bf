import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { diffTracesSemantic } from '@retake/compare'
import {
  CassetteCorruptError,
  type CassetteFile,
  type CassetteTest,
  cassetteHash,
  loadCassette,
  readText,
  refuseAllSecrets,
  type SecretLiteral,
  saveCassette,
  type Trace,
  type TraceHeader,
  takePath,
  type VerifyReport,
  verifyCassette,
  verifyTrace,
} from '@retake/trace'
import type { RecordedRun } from './record/to-trace.ts'
import { findTakes, removeTakes } from './takes.ts'
import { keepUnchanged } from './update/keep-unchanged.ts'

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

function refuseUnverified({ checks }: VerifyReport, path: string, what: string, remedy = ''): void {
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

/** A recording that is to be written. Plain JSON. */
export interface CassetteWrite {
  path: string
  recorded: RecordedRun
  /** For a new file; an existing one keeps its format. */
  format: CassetteFile['format']
  /** Absent for a run that is no test. */
  test?: CassetteTest
  /** Literal values that may not be written. */
  secrets: readonly SecretLiteral[]
  /** A file that says something else is not replaced: the recording waits beside it, as a take. */
  review?: boolean
}

/**
 * Writes a recording, whole or not at all. A file that says the same already is not touched; of another the steps that
 * did not change stay as they are. Takes that waited are gone then: the last recording counts.
 * @throws SecretFoundError before anything is written
 */
export async function writeCassette({
  path,
  recorded,
  format,
  test,
  secrets,
  review = false,
}: CassetteWrite): Promise<'recorded' | 'updated' | 'unchanged' | 'waiting'> {
  const existed = cassetteExists(path)
  const found = readOld(path)
  const old = found && beginsAlike(found.trace, recorded) ? found : undefined
  const diff = old && diffTracesSemantic(old.trace, recorded.trace)
  const { trace, extras } = old && diff?.hasDivergence ? keepUnchanged(old, recorded, diff) : recorded
  const file: CassetteFile =
    (found?.format ?? format) === 'v2'
      ? { trace, format: 'v2', extras: [] }
      : { trace, format: 'v3', ...(test && { test }), extras }
  await refuseAllSecrets({ ...trace, test: file.test, extras: file.extras }, { literals: secrets }, keepOut)
  // A file that could not be replayed is worse than none.
  refuseUnverified(verifyTrace(trace), path, 'the recording was not written: it does not verify; please report this')
  // The last recording counts: what waited before it was recorded by an older agent.
  const earlier = existed ? findTakes(path) : []
  if (diff && !diff.hasDivergence) {
    removeTakes(earlier)
    return 'unchanged'
  }
  if (existed && review) {
    const take = takePath({ cassette: path, base: cassetteHash(readText(path)) })
    saveCassette(file, take)
    removeTakes(earlier.filter((other) => other !== take))
    return 'waiting'
  }
  saveCassette(file, path)
  removeTakes(earlier)
  return existed ? 'updated' : 'recorded'
}

/** A fork takes the steps of its parent over as they are; of a file that has others nothing is kept. */
const beginsAlike = (old: Trace, { trace, inherited = 0 }: RecordedRun): boolean =>
  old.parentId === trace.parentId &&
  old.forkedFromStepId === trace.forkedFromStepId &&
  trace.steps.slice(0, inherited).every(({ hash }, index) => old.steps[index]?.hash === hash)

const keepOut = 'Keep it out of what the agent sends and its tools return, or let `redact` take it out.'

/** What an update replaces; a file that is broken or does not verify is replaced like a missing one. */
function readOld(path: string): CassetteFile | undefined {
  if (!cassetteExists(path)) return undefined
  try {
    const file = loadCassette(path)
    return verifyCassette(file).checks.some(({ status }) => status === 'fail') ? undefined : file
  } catch {
    return undefined
  }
}
