import { cassettePath } from '@retake/session'
import type { TestCase, TestModule } from 'vitest/node'

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

/**
 * The test files of a run whose tests are all known: not those that could not be loaded, or were not reached.
 * @param dirOf the folder of cassettes in a project; undefined for a project without retake
 */
export const toRanFiles = (
  modules: readonly TestModule[],
  dirOf: (project: string) => string | undefined,
): RanFile[] => {
  const files = new Map<string, RanFile>()
  const incomplete = new Set<string>()
  for (const module of modules) {
    const dir = dirOf(module.project.name)
    if (dir === undefined || isTypecheck(module)) continue
    const key = JSON.stringify([module.moduleId, dir])
    const tests = [...module.children.allTests()]
    if (tests.length === 0) incomplete.add(key)
    const file = files.get(key) ?? { path: module.moduleId, dir, tests: [], used: new Set() }
    files.set(key, file)
    file.tests.push(...toRanTests(tests, file))
    for (const test of tests) for (const { path } of test.meta().retake ?? []) file.used.add(path)
  }
  return [...files].flatMap(([key, file]) => (incomplete.has(key) ? [] : [file]))
}

/** A file that is only checked for its types comes as a second module, whose tests pass and do nothing. */
const isTypecheck = (module: TestModule): boolean =>
  (module as TestModule & { task?: { pool?: string } }).task?.pool === 'typescript'

const toRanTests = (tests: readonly TestCase[], { path, dir }: RanFile): RanTest[] => {
  const seen = new Map<string, number>()
  return tests.map((test) => {
    const parts = titlesOf(test)
    const key = JSON.stringify(parts)
    const duplicate = (seen.get(key) ?? 0) + 1
    seen.set(key, duplicate)
    const place = cassettePath({ testFile: path, dir, parts, duplicate })
    return { cassette: place.path, passed: test.result().state === 'passed' }
  })
}

/** Titles from the outermost describe to the test. */
const titlesOf = (test: TestCase): string[] => {
  const titles = [test.name]
  for (let { parent } = test; parent.type === 'suite'; parent = parent.parent) titles.unshift(parent.name)
  return titles
}
