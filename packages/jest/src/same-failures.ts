import { late } from './load-late.ts'
import type { FileReport } from './run-folder.ts'

/** Tests that failed with the same difference to their cassettes. */
export interface SameFailure {
  what: string
  /** Absolute paths of their files. */
  files: string[]
  tests: number
  /** The command that records them all again. */
  again: string
}

/** What failed several tests of a run. Jest prints the failures of a file when that is over, each on its own. */
export const findSameFailures = (reports: readonly FileReport[]): SameFailure[] => {
  const failures = reports.flatMap(({ path, tests }) =>
    tests.flatMap(({ failure }) => (failure ? [{ path, ...failure }] : [])),
  )
  return [...Map.groupBy(failures, ({ cause }) => cause).values()].flatMap((same) => {
    const [first, ...others] = same
    if (!first || others.length === 0) return []
    const files = [...new Set(same.map(({ path }) => path))].sort()
    return [{ what: first.what, files, tests: same.length, again: late().recordAgain(files) }]
  })
}
