import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest'

/** Titles from the outermost describe to the test. */
export const titlesOf = (task: RunnerTestCase): string[] => {
  const titles = [task.name]
  for (let suite: RunnerTestSuite | undefined = task.suite; suite && suite !== task.file; suite = suite.suite) {
    titles.unshift(suite.name)
  }
  return titles
}

const counted = new WeakMap<RunnerTestFile, Map<RunnerTestCase, number>>()

/** 1 for the first test of these titles in its file, in the order of definition, 2 for the second … */
export const duplicateOf = (task: RunnerTestCase): number => {
  let numbers = counted.get(task.file)
  if (!numbers?.has(task)) {
    numbers = numberTests(task.file)
    counted.set(task.file, numbers)
  }
  return numbers.get(task) ?? 1
}

const numberTests = (file: RunnerTestFile): Map<RunnerTestCase, number> => {
  const numbers = new Map<RunnerTestCase, number>()
  const seen = new Map<string, number>()
  const visit = (suite: RunnerTestSuite) => {
    for (const task of suite.tasks) {
      if (task.type === 'suite') {
        visit(task)
        continue
      }
      const titles = JSON.stringify(titlesOf(task))
      const number = (seen.get(titles) ?? 0) + 1
      seen.set(titles, number)
      numbers.set(task, number)
    }
  }
  visit(file)
  return numbers
}
