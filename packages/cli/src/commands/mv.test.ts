import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { formatTrace, loadCassette, loadTrace } from '@retake/trace'
import { beforeEach, expect, test } from 'vitest'
import { inCorpusFolder } from '../../test/run-main.ts'

const folder = inCorpusFolder()
const first = '__cassettes__/a.test.ts/one.cassette.json'
const second = '__cassettes__/b.test.ts/two.cassette.json'

beforeEach(() => {
  const trace = loadTrace(folder.at('success-tool-use.v2.json'))
  for (const [path, name] of [
    [first, 'one'],
    [second, 'the second'],
  ] as const) {
    const file = path.split('/')[1] as string
    mkdirSync(folder.at(join(path, '..')), { recursive: true })
    folder.write(path, formatTrace(trace, { format: 'v3', test: { file, name } }))
  }
})

test('a cassette moves within the folder of its test, byte for byte', async () => {
  const text = folder.read(first)
  const to = '__cassettes__/a.test.ts/first.cassette.json'
  expect(await folder.run('mv', first, to)).toEqual({ code: 0, out: `moved ${first} → ${to}\n`, err: '' })
  expect(folder.read(to)).toBe(text)
  expect(existsSync(folder.at(first))).toBe(false)
})

test('to the folder of another test file it takes the name of that file along', async () => {
  expect(await folder.run('mv', first, '__cassettes__/b.test.ts')).toMatchObject({ code: 0 })
  const moved = loadCassette(folder.at('__cassettes__/b.test.ts/one.cassette.json'))
  expect(moved.test).toEqual({ file: 'b.test.ts', name: 'one' })
  expect(existsSync(folder.at('__cassettes__/a.test.ts'))).toBe(false)
})

test('a cassette is replaced with --force only, and the moved one belongs to its test then', async () => {
  const text = folder.read(second)
  expect(await folder.run('mv', first, second)).toEqual({
    code: 2,
    out: '',
    err: `retake: there is a cassette at ${second}; --force replaces it (see retake --help)\n`,
  })
  expect(folder.read(second)).toBe(text)
  expect(await folder.run('mv', '--force', first, second)).toMatchObject({ code: 0 })
  expect(loadCassette(folder.at(second)).test).toEqual({ file: 'b.test.ts', name: 'the second' })
  expect(existsSync(folder.at(first))).toBe(false)
})

test.each([
  [[first], 'mv takes two paths, not 1'],
  [[first, 'x.json'], 'a cassette is named ….cassette.json, not x.json'],
  [[first, `./${first}`], 'both paths name the same file'],
  [['none.cassette.json', 'x.cassette.json'], 'the cassette cannot be read: there is no such file'],
])('%j is refused, and nothing is moved', async (args, message) => {
  const { code, err } = await folder.run('mv', ...args)
  expect(code).toBe(2)
  expect(err).toContain(message)
  expect(existsSync(folder.at(first))).toBe(true)
})
