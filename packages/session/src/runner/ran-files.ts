import { cassettePath } from '../cassette-path.ts'
import type { CassetteReport } from './cassette-report.ts'
import { countDuplicates } from './count-duplicates.ts'

/** One test as the runner's main process sees it. */
export interface RanTest {
  /** Absolute path of the cassette it has, unless it names one. */
  cassette: string
  /** It ran to its end, and passed. A test that did not may use any cassette. */
  passed: boolean
}

/** A test file of a run, with the tests of every project that ran it. */
export interface RanFile {
  /** Absolute path. */
  path: string
  /** Folder of cassettes, relative to the folder of the test file. */
  dir: string
  tests: RanTest[]
  /** Paths of the cassettes that its tests had, whatever became of them. */
  used: Set<string>
}

/** Marks what the reports of a test used. */
export function markUsed({ used }: RanFile, reports: readonly CassetteReport[] = []): void {
  for (const { path, parent } of reports) {
    used.add(path)
    if (parent) used.add(parent)
  }
}

/** The tests of a file in one project, in the order of definition, with the cassettes that their titles give them. */
export const toRanTests = (
  { path, dir }: Pick<RanFile, 'path' | 'dir'>,
  tests: readonly { titles: readonly string[]; passed: boolean }[],
): RanTest[] => {
  const numberOf = countDuplicates()
  return tests.map(({ titles, passed }) => {
    const place = cassettePath({ testFile: path, dir, parts: titles, duplicate: numberOf(titles) })
    return { cassette: place.path, passed }
  })
}
