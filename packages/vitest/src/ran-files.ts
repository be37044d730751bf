import { markUsed, type RanFile, toRanTests } from '@retake/session/runner'
import type { TestCase, TestModule } from 'vitest/node'

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
    const judged = tests.map((test) => ({ titles: titlesOf(test), passed: test.result().state === 'passed' }))
    file.tests.push(...toRanTests(file, judged))
    for (const test of tests) markUsed(file, test.meta().retake)
  }
  return [...files].flatMap(([key, file]) => (incomplete.has(key) ? [] : [file]))
}

/** A file that is only checked for its types comes as a second module, whose tests pass and do nothing. */
const isTypecheck = (module: TestModule): boolean =>
  (module as TestModule & { task?: { pool?: string } }).task?.pool === 'typescript'

/** Titles from the outermost describe to the test. */
const titlesOf = (test: TestCase): string[] => {
  const titles = [test.name]
  for (let { parent } = test; parent.type === 'suite'; parent = parent.parent) titles.unshift(parent.name)
  return titles
}
