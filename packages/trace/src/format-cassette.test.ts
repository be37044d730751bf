import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { corpusText } from '../test/corpus.ts'
import { sealed } from '../test/seal.ts'
import { v3Sample } from '../test/v3-sample.ts'
import { loadCassette, loadTrace } from './cassette-disk.ts'
import { CassetteCorruptError, SecretFoundError, UnsupportedError } from './error.ts'
import { formatCassette, formatTrace } from './format-cassette.ts'
import { parseCassette, parseTrace, parseUnsealed } from './parse-cassette.ts'
import { saveCassette, saveTrace } from './save-cassette.ts'
import type { TraceStep } from './trace.ts'

const path = join(mkdtempSync(join(tmpdir(), 'retake-format-')), 'a.cassette.json')
const v2 = corpusText('triage-incident.json')

test('a cassette keeps its format, its test and its extras on disk', () => {
  saveCassette(parseCassette(v3Sample), path)
  expect(readFileSync(path, 'utf8')).toBe(v3Sample)
  expect(loadCassette(path)).toEqual(parseCassette(v3Sample))
  saveCassette(parseCassette(v2), path)
  expect(readFileSync(path, 'utf8')).toBe(v2)
  expect(loadCassette(path).format).toBe('v2')
})

test('a v3 file read as a trace and saved is the v2 file of that trace', () => {
  saveCassette({ ...parseCassette(v2), format: 'v3' }, path)
  saveTrace(loadTrace(path), path)
  expect(readFileSync(path, 'utf8')).toBe(v2)
})

test('a cassette with a credential in its test or extras is not written', () => {
  const secret = 'literal-secret-value'
  const file = parseCassette(v3Sample)
  const named = { ...file, test: { file: 'a', name: `uses ${secret}` } }
  expect(() => saveCassette(named, path, { literals: [secret] })).toThrow(SecretFoundError)
  const extras = [{ step: 1, servedModel: secret }]
  expect(() => saveCassette({ ...file, extras }, path, { literals: [secret] })).toThrow('extras[0].servedModel')
})

test('steps that were merged are sealed again if each matches its sum', () => {
  const ours = parseCassette(v2)
  const text = formatCassette({ ...ours, format: 'v3' })
  const merged = text
    .replace(/"seal": "[0-9a-f]+"/, `"seal": "${'0'.repeat(64)}"`)
    .replace('"createdAt": ', '"createdAt": 1')
  expect(() => parseCassette(merged)).toThrow('the steps match their sums')
  const resealed = formatCassette(parseUnsealed(merged))
  expect(parseCassette(resealed).trace.createdAt).toBe(Number(`1${ours.trace.createdAt}`))
  expect(() => parseUnsealed(merged.replace('"user"', '"users"'))).toThrow('step 0 was edited')
})

test('a trace that v3 could not give back is not written as v3', () => {
  const change = (members: object, header: object = {}) => {
    const trace = JSON.parse(v2)
    Object.assign(trace.steps[3], members)
    return () => formatTrace({ ...trace, ...header }, { format: 'v3' })
  }
  expect(change({})).not.toThrow()
  expect(change({ payload: 1 })).toThrow(CassetteCorruptError)
  expect(change({ payload: 1 })).toThrow('step 3')
  expect(change({ index: 4 })).toThrow(CassetteCorruptError)
  expect(change({}, { version: 3 })).toThrow('version 3 is not supported (expected 2)')
  expect(change({}, { id: 7 })).toThrow('id is not a string')
  expect(change({ note: 1 })).toThrow(UnsupportedError)
  expect(change({ note: 1 })).toThrow('step 3 has a member that the format does not know')
  expect(change({}, { title: 'x' })).toThrow('the header has a member that the format does not know')
  expect(change({}, { createdAt: 0.5 })).toThrow('no whole number of milliseconds')
  expect(change({}, { createdAt: -(2 ** 53) + 1 })).toThrow('no whole number of milliseconds')
})

test('the writer obeys the limits of the reader', () => {
  const trace = parseTrace(v2)
  expect(() => formatTrace(trace, { maxBytes: 1000 })).toThrow('larger than 1000 bytes')
  expect(() => formatTrace(trace, { format: 'v3', maxBytes: 1000 })).toThrow('larger than 1000 bytes')
  expect(() => formatTrace(trace, { format: 'v3', maxExpanded: 1000 })).toThrow(
    'larger than 1000 characters when expanded',
  )
  expect(() => formatTrace(trace, { format: 'v3', maxDepth: 5 })).toThrow('the nesting is deeper than 5 levels')
  const text = formatTrace(trace, { format: 'v3' })
  expect(() => parseCassette(text, { maxExpanded: 1000 })).toThrow('the trace expands beyond 1000 characters')
})

test('steps put together by hand are one cassette with any other', () => {
  const value = JSON.parse(v3Sample)
  expect(formatCassette(parseCassette(JSON.stringify(sealed(value))))).toBe(v3Sample)
  expect((parseCassette(v3Sample).trace.steps[2] as TraceStep).id).toBe('run_7f3a:2')
})
