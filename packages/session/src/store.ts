import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { diffTracesSemantic } from '@retake/compare'
import {
  CassetteCorruptError,
  findSecrets,
  loadTrace,
  SecretFoundError,
  saveTrace,
  type Trace,
  type TraceHeader,
  verifyTrace,
} from '@retake/trace'
import type { RecordedRun } from './record/to-trace.ts'

export const cassetteExists = (path: string): boolean => existsSync(path)

/**
 * Reads a cassette that is to be replayed.
 * @throws CassetteCorruptError, CassetteConflictError, CassetteVersionError; also where the file parses but does not verify
 */
export function readCassette(path: string): Trace {
  const trace = loadTrace(path)
  refuseUnverified(trace, path, 'the cassette does not verify', '\n  Undo the edit with git, or record it again.')
  return trace
}

function refuseUnverified(trace: Trace, path: string, what: string, remedy = ''): void {
  const failed = verifyTrace(trace).checks.find(({ status }) => status === 'fail')
  if (!failed) return
  const { name, where, detail } = failed
  throw new CassetteCorruptError(
    `${what}: ${name}${where ? ` at ${where}` : ''}: ${detail}\n  cassette  ${path}${remedy}`,
    { path, check: name, where },
  )
}

/** Identity of a recording; an update keeps that of the file it replaces. */
export function headerFor(path: string, now: number): TraceHeader {
  const old = cassetteExists(path) ? readOld(path) : undefined
  return old
    ? { id: old.id, createdAt: old.createdAt }
    : { id: `run_${randomBytes(4).toString('hex')}`, createdAt: now }
}

/**
 * Writes a recording, whole or not at all. A file that says the same already is not touched.
 * @throws SecretFoundError before anything is written
 */
export function writeCassette(
  path: string,
  { trace }: RecordedRun,
  secrets: readonly string[],
): 'recorded' | 'updated' | 'unchanged' {
  const [found] = findSecrets(trace, { literals: secrets })
  if (found) {
    throw new SecretFoundError(
      `the recording was not written: it contains ${found.kind}\n  where  ${found.where}\n` +
        '  Keep it out of the prompt or the tool result.',
      { where: found.where, kind: found.kind, path },
    )
  }
  // A file that could not be replayed is worse than none.
  refuseUnverified(trace, path, 'the recording was not written: it does not verify; please report this')
  const old = cassetteExists(path) ? readOld(path) : undefined
  if (old && !diffTracesSemantic(old, trace).hasDivergence) return 'unchanged'
  saveTrace(trace, path)
  return old ? 'updated' : 'recorded'
}

/** What an update replaces; a broken file is replaced like a missing one. */
function readOld(path: string): Trace | undefined {
  try {
    return loadTrace(path)
  } catch {
    return undefined
  }
}
