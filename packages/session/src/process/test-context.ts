import { fileURLToPath } from 'node:url'
import { ConfigError } from '@retake/trace'

/** The context that `node:test` gives a test, as much of it as is read. */
export interface NodeTestContext {
  readonly fullName: string
  readonly filePath?: string
}

/** `this` in a test or hook of Mocha, as much of it as is read. */
export interface MochaContext {
  readonly test?: MochaTest
  readonly currentTest?: MochaTest
}

interface MochaTest {
  readonly file?: string
  titlePath(): string[]
  currentRetry?(): number
  readonly parent?: MochaSuite | undefined
}

interface MochaSuite {
  readonly parent?: MochaSuite | undefined
}

/** What a runner says of the test that is running. */
export interface TestPlace {
  /** Empty where the runner does not tell. */
  file: string
  /** What the folder of its cassettes is called after; beside the file. */
  folder: string
  titles: string[]
  /** What is the same object for as long as it is the same test. */
  test: object
  /** What is the same object for the tests of one run, in a process that runs them again and again. */
  run: object | undefined
  /** Another attempt of a test that was there before. */
  isRetry: boolean
}

/** @throws ConfigError for something that is no context of a test */
export function toTestPlace(given: NodeTestContext | MochaContext | undefined): TestPlace {
  const context = given ?? {}
  if ('fullName' in context && typeof context.fullName === 'string') {
    const file = toPath(context.filePath)
    // `node --test` would take a folder `refund.test.js` for a test.
    const folder = file.replace(/\.[cm]?[jt]s$/, '')
    return { file, folder, titles: context.fullName.split(' > '), test: context, run: undefined, isRetry: false }
  }
  const test = 'currentTest' in context || 'test' in context ? (context.currentTest ?? context.test) : undefined
  if (typeof test?.titlePath !== 'function') {
    throw new ConfigError(
      'withCassette needs the context of the test: the argument of a test of node:test, or `this` in one of Mocha\n' +
        '  In Mocha write `function () { … }`; an arrow function has no `this` of its own.',
    )
  }
  const file = toPath(test.file)
  return {
    file,
    folder: file,
    titles: test.titlePath(),
    test,
    run: rootOf(test.parent),
    isRetry: (test.currentRetry?.() ?? 0) > 0,
  }
}

function rootOf(suite: MochaSuite | undefined): MochaSuite | undefined {
  let root = suite
  while (root?.parent) root = root.parent
  return root
}

const toPath = (file = ''): string => (file.startsWith('file:') ? fileURLToPath(file) : file)
