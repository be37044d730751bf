import { countDuplicates } from '@retake/session/set-up'
import type { CircusBlock, CircusHook, CircusTest } from './circus.ts'

/** Every test of a file, in the order of definition. */
export const listTests = (block: CircusBlock): CircusTest[] =>
  block.children.flatMap((child) => (child.type === 'test' ? [child] : listTests(child)))

/** The hooks that run with each test. */
export const listEachHooks = (block: CircusBlock): CircusHook[] => [
  ...block.hooks.filter(({ type }) => type === 'beforeEach' || type === 'afterEach'),
  ...block.children.flatMap((child) => (child.type === 'describeBlock' ? listEachHooks(child) : [])),
]

/** Titles from the outermost describe to the test; the block of the file has none. */
export const titlesOf = (test: CircusTest): string[] => {
  const titles = [test.name]
  for (let block = test.parent; block.parent; block = block.parent) titles.unshift(block.name)
  return titles
}

/** For each test 1, or 2 for the second of the same titles … */
export const numberTests = (tests: readonly CircusTest[]): Map<CircusTest, number> => {
  const numberOf = countDuplicates()
  return new Map(tests.map((test) => [test, numberOf(titlesOf(test))]))
}
