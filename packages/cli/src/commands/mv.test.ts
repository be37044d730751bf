import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cassetteHash, formatTrace, loadCassette, loadTrace, takePath } from '@retake/trace'
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
    err: `retake: there is a cassette at ${second}; --force replaces it (see retake mv --help)\n`,
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

test('takes move along: a current one can be accepted there, a stale one stays stale, a broken one is kept', async () => {
  const current = takePath({ cassette: first, base: cassetteHash(folder.read(first)) })
  const stale = takePath({ cassette: first, base: '0123456789abcdef' })
  const broken = takePath({ cassette: first, base: 'fedcba9876543210' })
  const trace = loadTrace(folder.at('error-unknown-tool.v2.json'))
  for (const path of [current, stale])
    folder.write(path, formatTrace(trace, { format: 'v3', test: { file: 'a.test.ts', name: 'one' } }))
  folder.write(broken, '{')
  const to = '__cassettes__/b.test.ts/one.cassette.json'
  expect(await folder.run('mv', first, '__cassettes__/b.test.ts')).toMatchObject({ code: 0 })

  const moved = takePath({ cassette: to, base: cassetteHash(folder.read(to)) })
  expect(loadCassette(folder.at(moved)).test).toEqual({ file: 'b.test.ts', name: 'one' })
  expect(folder.read(takePath({ cassette: to, base: 'fedcba9876543210' }))).toBe('{')
  expect(readdirSync(folder.at('__cassettes__'))).toEqual(['b.test.ts'])
  const { err } = await folder.run('accept', takePath({ cassette: to, base: '0123456789abcdef' }))
  expect(err).toContain('it was made from an older cassette')
  expect(await folder.run('accept', moved)).toMatchObject({ code: 0 })
  expect(loadTrace(folder.at(to)).id).toBe(trace.id)
})
