import { existsSync, readdirSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { ConfigError } from '@retake/trace'
import type { OpenCassette } from '../cassette.ts'
import { cassettePath } from '../cassette-path.ts'
import { CassetteMissingError } from '../errors.ts'

const extension = '.cassette.json'

/** A fork with the place of its parent. */
export type ForkPlace = OpenCassette & Required<Pick<OpenCassette, 'fork' | 'parent'>>

/**
 * Where the parent of a fork lies, and the fork itself: beside it, where it is the test's own cassette.
 * @throws ConfigError for a parent that would be written over
 */
export function placeFork(options: OpenCassette & Required<Pick<OpenCassette, 'fork'>>): ForkPlace {
  const { fork, path, name, parent, runKind = 'test' } = options
  if (parent === undefined && fork.from === undefined) {
    const child = `${path.replace(/(\.cassette)?\.json$/, '')}.fork${extension}`
    return { ...options, path: child, name: `${name}.fork`, parent: path }
  }
  const from = parent ?? findParent(options, fork.from ?? '')
  if (resolve(from) === resolve(path)) {
    throw new ConfigError(
      `a fork cannot take the place of the run it starts as: ${from}\n  ${runKind === 'test' ? 'Leave fork.from out, or give the test another name.' : 'Give the fork a file of its own: `out`.'}`,
      { option: 'fork.from', path },
    )
  }
  return { ...options, parent: from }
}

/** A path beside the test file, or the name of a cassette in the folder of the test's own. */
function findParent({ path, test }: OpenCassette, from: string): string {
  if (/[\\/]|\.json$/.test(from)) return isAbsolute(from) ? from : resolve(dirname(test.file), from)
  const folder = dirname(path)
  const asWritten = join(folder, `${from}${extension}`)
  const named = cassettePath({ testFile: test.file, dir: '.', parts: from.split(' > '), duplicate: 1 })
  const asTitled = join(folder, `${named.name}${extension}`)
  return existsSync(asWritten) || !existsSync(asTitled) ? asWritten : asTitled
}

/** The error for a parent that is not there; it names those that are. */
export function missingParent({ parent, path, test, fork }: ForkPlace): CassetteMissingError {
  const folder = dirname(path)
  const others = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(extension)) : []
  const names = others.map((name) => name.slice(0, -extension.length)).sort()
  const there = names.length > 0 ? `\n  there are ${names.slice(0, 5).join(', ')}${names.length > 5 ? ' …' : ''}` : ''
  return new CassetteMissingError(
    `the cassette that "${test.name}" forks is not there\n  expected  ${relative(process.cwd(), parent)}${there}\n` +
      (fork.from === undefined
        ? '  Record it first, or correct its path.'
        : '  Record the test it belongs to first, or correct `fork.from`: the name of its cassette, or a path.'),
    { path: parent, test: test.name, reason: 'parent' },
  )
}
