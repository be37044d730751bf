import type { RunnerTest } from '@retake/session/runner'
import { countDuplicates } from '@retake/session/set-up'
import type { RunnerTestCase, RunnerTestFile, RunnerTestSuite } from 'vitest'

/** A task of Vitest as the part of retake that knows no runner sees it. */
export const toRunnerTest = (task: RunnerTestCase): RunnerTest => ({
  file: task.file.filepath,
  titles: titlesOf(task),
  get duplicate() {
    return duplicateOf(task)
  },
  get isRepetition() {
    return (task.result?.repeatCount ?? 0) > 0
  },
  get outcome() {
    const { state, pending } = (task.result ?? {}) as { state?: string; pending?: boolean }
    if (state === 'skip' || pending) return 'skipped'
    return state === (task.fails ? 'fail' : 'pass') ? 'passed' : 'failed'
  },
  get reports() {
    return task.meta.retake
  },
  set reports(reports) {
    if (reports) task.meta.retake = reports
  },
})

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
export const duplicateOf = (task: RunnerTestCase): number => numbersOf(task).get(task) ?? 1

/** The other tests of its file. */
export const siblingsOf = (task: RunnerTestCase): Pick<RunnerTest, 'titles' | 'duplicate'>[] =>
  [...numbersOf(task)].flatMap(([other, duplicate]) => (other === task ? [] : [{ titles: titlesOf(other), duplicate }]))

const numbersOf = (task: RunnerTestCase): Map<RunnerTestCase, number> => {
  const known = counted.get(task.file)
  if (known?.has(task)) return known
  const numbers = numberTests(task.file)
  counted.set(task.file, numbers)
  return numbers
}

const numberTests = (file: RunnerTestFile): Map<RunnerTestCase, number> => {
  const numbers = new Map<RunnerTestCase, number>()
  const numberOf = countDuplicates()
  const visit = (suite: RunnerTestSuite) => {
    for (const task of suite.tasks) {
      if (task.type === 'suite') visit(task)
      else numbers.set(task, numberOf(titlesOf(task)))
    }
  }
  visit(file)
  return numbers
}
