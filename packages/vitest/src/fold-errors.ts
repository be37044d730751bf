import { relative } from 'node:path'
import type { TestError } from 'vitest'
import type { TestCase, TestModule } from 'vitest/node'

interface Shown {
  message: string
  stack: string | undefined
  diff: string | undefined
}

const mostFiles = 3

/**
 * Makes the errors of tests that fail for one reason the same, so that Vitest lists the tests and shows the evidence
 * once.
 * @returns what undoes it, for reporters that are no people
 */
export const foldErrors = (modules: readonly TestModule[], root: string): (() => void) => {
  const groups = Map.groupBy(
    modules.flatMap((module) => [...module.children.allTests('failed')]).filter((test) => causeOf(test) !== undefined),
    (test) => JSON.stringify([test.project.name, causeOf(test)]),
  )
  const undo: (() => void)[] = []
  for (const tests of groups.values()) {
    const [first, ...others] = tests.map(errorsOf)
    const [model] = first ?? []
    if (!model || others.length === 0) continue
    const files = [...new Set(tests.map(({ module }) => relative(root, module.moduleId)))]
    const shown: Shown = { message: model.message, stack: model.stack, diff: withFiles(model.diff, files) }
    for (const error of tests.flatMap(errorsOf)) {
      const { message, stack, diff } = error
      undo.push(() => Object.assign(error, { message, stack, diff }))
      Object.assign(error, shown)
    }
  }
  return () => {
    for (const restore of undo) restore()
  }
}

const causeOf = (test: TestCase): string | undefined => test.meta().retake?.[0]?.cause

/** The mismatch of a test, also where Vitest keeps it by attempt. */
const errorsOf = (test: TestCase): TestError[] => {
  const { result } = (test as TestCase & { task: { result?: { errors?: TestError[]; attempts?: Attempt[] } } }).task
  const all = [...(result?.errors ?? []), ...(result?.attempts ?? []).flatMap(({ errors }) => errors ?? [])]
  return [...new Set(all)].filter(({ name }) => name === 'CassetteMismatchError')
}

interface Attempt {
  errors?: TestError[]
}

/** The command must be for all of them. */
const withFiles = (diff: string | undefined, files: readonly string[]): string | undefined =>
  diff?.replace(/ \S+ --update-cassettes$/m, () => {
    const named = files.length > mostFiles ? '' : ` ${files.join(' ')}`
    return `${named} --update-cassettes`
  })
