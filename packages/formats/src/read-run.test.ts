import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadCassette } from '@retake/trace'
import { expect, test } from 'vitest'
import { readRun } from './read-run.ts'

const corpus = join(import.meta.dirname, '../../../test/corpus/blackbox')

test('a cassette of retake is read as it is', () => {
  const path = join(corpus, 'fork-child.v2.json')
  const { format, trace, lost } = readRun(path)
  expect({ format, trace, lost }).toEqual({ format: 'retake', trace: loadCassette(path).trace, lost: [] })
})

test.each([
  ['text that is no JSON', 'hello'],
  ['JSON of nobody', '{"hello":1}'],
  ['an empty file', ''],
])('%s is in no known format', (_, text) => {
  const path = join(mkdtempSync(join(tmpdir(), 'retake-run-')), 'file')
  writeFileSync(path, text)
  expect(() => readRun(path)).toThrow(`${path} is in no format that retake knows`)
})

test('a file that is not there is told', () => {
  expect(() => readRun('/nowhere/a.json')).toThrow('there is no such file')
})
