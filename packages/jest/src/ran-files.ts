import { markUsed, type RanFile, toRanTests } from '@retake/session/runner'
import type { FileReport } from './run-folder.ts'

/** The test files of a run; two projects may run one file. */
export const toRanFiles = (reports: readonly FileReport[]): RanFile[] => {
  const files = new Map<string, RanFile>()
  for (const { path, dir, tests } of reports) {
    const key = JSON.stringify([path, dir])
    const file = files.get(key) ?? { path, dir, tests: [], used: new Set() }
    files.set(key, file)
    file.tests.push(...toRanTests(file, tests))
    for (const { reports } of tests) markUsed(file, reports)
  }
  return [...files.values()]
}
