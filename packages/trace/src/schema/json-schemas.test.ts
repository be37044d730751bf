import { readFileSync } from 'node:fs'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { corpus } from '../../test/corpus.ts'
import { v3Sample } from '../../test/v3-sample.ts'
import { formatTrace } from '../format-cassette.ts'
import { parseTrace } from '../parse-cassette.ts'
import { v2FileSchema, v3FileSchema } from './file-schemas.ts'
import { jsonSchemas } from './json-schemas.ts'

test('the committed schemas are the generated ones (npm run schemas)', () => {
  for (const [name, text] of Object.entries(jsonSchemas)) {
    expect(readFileSync(new URL(`../../schema/${name}`, import.meta.url), 'utf8')).toBe(text)
  }
})

test('the files that the public cassettes and the example make fit their schema', () => {
  for (const { text } of corpus) {
    expect(v.is(v2FileSchema, JSON.parse(text))).toBe(true)
    expect(v.is(v3FileSchema, JSON.parse(formatTrace(parseTrace(text), { format: 'v3' })))).toBe(true)
  }
  expect(v.is(v3FileSchema, JSON.parse(v3Sample))).toBe(true)
})

test('a file of the other version or with another member does not', () => {
  const file = JSON.parse(v3Sample)
  expect(v.is(v2FileSchema, file)).toBe(false)
  expect(v.is(v3FileSchema, { ...file, more: 1 })).toBe(false)
  expect(v.is(v3FileSchema, { ...file, seal: 'x' })).toBe(false)
})
