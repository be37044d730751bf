import { join } from 'node:path'
import { expect, test } from 'vitest'
import { walkImports } from '../../support/import-graph.ts'

const dist = join(import.meta.dirname, '../../../packages/retake/dist')

/** The packages of others that a file of the build loads before it does anything. */
const packagesOf = (file: string): string[] => {
  const { reached } = walkImports(join(dist, file), undefined, 'atOnce')
  const names = reached.flatMap(({ target }) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(target)?.[1] ?? [])
  return [...new Set(names)].sort()
}

test('a Vitest config that imports the plugin loads no package, and neither does what a test file imports of it', () => {
  expect(packagesOf('vitest.mjs')).toEqual([])
})

test('a test file with a cassette loads what replays one: nothing that records, reads other formats or shows differences', () => {
  expect(packagesOf('late.mjs')).toEqual(['diff', 'eventsource-parser', 'fast-json-stable-stringify', 'valibot'])
})
