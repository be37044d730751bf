import { diffTracesSemantic } from '@retake/compare'
import {
  type CassetteFile,
  type CassetteTest,
  cassetteHash,
  readText,
  refuseAllSecrets,
  type SecretLiteral,
  saveCassette,
  type Trace,
  takePath,
  verifyTrace,
} from '@retake/trace'
import { cassetteExists, readOld, refuseUnverified } from './read-cassette.ts'
import type { RecordedRun } from './record/to-trace.ts'
import { findTakes, removeTakes } from './takes.ts'
import { keepUnchanged } from './update/keep-unchanged.ts'

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
