import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { corpus, corpusText } from '../../test/corpus.ts'
import type { Trace } from '../trace.ts'
import { verifyFile, verifyText } from './verify-file.ts'
import { verifyTrace } from './verify-trace.ts'

/** The failing check and its place. */
function verdict(trace: Trace): string {
  const failing = verifyTrace(trace).checks.find(({ status }) => status === 'fail')
  return failing === undefined ? 'pass' : `${failing.name} ${failing.where}`
}

/** Makes every small change of every leaf, member and item of a value in turn, and takes it back. */
function* changesOf(owner: Record<string, unknown>): Generator<string> {
  for (const key of Object.keys(owner)) {
    const value = owner[key]
    if (Array.isArray(value)) yield* changesOfItems(value)
    if (typeof value === 'object' && value !== null) yield* changesOf(value as Record<string, unknown>)
    for (const other of otherValues(value)) {
      owner[key] = other
      yield `${key} changed`
    }
    owner[key] = value
    if (Array.isArray(owner)) continue
    delete owner[key]
    yield `${key} removed`
    owner[`${key}x`] = value
    yield `${key} renamed`
    delete owner[`${key}x`]
    owner[key] = value
  }
}

function* changesOfItems(items: unknown[]): Generator<string> {
  for (let at = 0; at < items.length; at++) {
    const [item] = items.splice(at, 1)
    yield `item ${at} removed`
    items.splice(at, 0, item, item)
    yield `item ${at} doubled`
    items.splice(at, 1)
  }
}

function otherValues(value: unknown): unknown[] {
  if (typeof value === 'string') return [`${value} `, value === '' ? 'x' : value.slice(1), null]
  if (typeof value === 'number') return [value + 1, String(value)]
  if (typeof value === 'boolean') return [!value, null]
  return value === null ? [false, 0, 'null'] : [null]
}

test('any change of a hashed member, a hash or a payload fails the hash chain at its step', () => {
  let tried = 0
  for (const { name, text } of corpus) {
    const trace: Trace = JSON.parse(text)
    expect(verdict(trace)).toBe('pass')
    for (const [index, step] of trace.steps.entries()) {
      const { id, ...covered } = step
      for (const change of changesOf(covered)) {
        tried++
        trace.steps[index] = { id, ...covered }
        const found = verdict(trace)
        if (!`${found} `.startsWith(`hash_chain step ${index} `))
          expect.fail(`${name}, step ${index}, ${change}: ${found}`)
      }
      trace.steps[index] = step
    }
    expect(verdict(trace)).toBe('pass')
  }
  expect(tried).toBeGreaterThan(5000)
}, 60_000)

test('any two steps that change places fail the hash chain at the first of them', () => {
  for (const { text } of corpus) {
    const { steps, ...header }: Trace = JSON.parse(text)
    for (let left = 0; left < steps.length; left++) {
      for (let right = left + 1; right < steps.length; right++) {
        const swapped = [...steps]
        swapped[left] = steps[right] as (typeof steps)[number]
        swapped[right] = steps[left] as (typeof steps)[number]
        expect(verdict({ ...header, steps: swapped })).toBe(`hash_chain step ${left}`)
      }
    }
  }
})

test('a step that is removed or doubled fails the hash chain, unless the last ones are cut off', () => {
  for (const { text } of corpus) {
    const { steps, ...header }: Trace = JSON.parse(text)
    for (let at = 0; at < steps.length; at++) {
      expect(verdict({ ...header, steps: steps.toSpliced(at, 0, steps[at] as (typeof steps)[number]) })).toBe(
        `hash_chain step ${at + 1}`,
      )
      if (at < steps.length - 1)
        expect(verdict({ ...header, steps: steps.toSpliced(at, 1) })).toBe(`hash_chain step ${at}`)
    }
  }
})

test('another version fails schema_version', () => {
  for (const { text } of corpus) {
    for (const version of [1, 3, '2', null, undefined, 2.5]) {
      expect(verdict({ ...JSON.parse(text), version })).toBe('schema_version version')
    }
  }
})

const folder = mkdtempSync(join(tmpdir(), 'retake-verify-'))
const text = corpusText('success-final-answer.v2.json')

function fileVerdict(content: string | Uint8Array) {
  const path = join(folder, 'a.cassette.json')
  writeFileSync(path, content)
  const { file, version, checks, pass } = verifyFile(path)
  expect(file).toBe(path)
  const failing = checks.find(({ status }) => status === 'fail')
  expect(pass).toBe(failing === undefined)
  return [version, failing?.name, failing?.code, failing?.where]
}

test('a file is verified as the trace it holds', () => {
  expect(fileVerdict(text)).toEqual([2, undefined, undefined, undefined])
  expect(fileVerdict(text.replace('Paris', 'Rome'))).toEqual([2, 'hash_chain', 'hash_mismatch', 'step 1'])
})

test('a file that cannot be read as a trace fails schema_version with the place', () => {
  expect(fileVerdict(text.slice(0, 40))).toEqual([
    null,
    'schema_version',
    'RETAKE_CASSETTE_CORRUPT',
    'line 3, column 23',
  ])
  expect(fileVerdict(`<<<<<<< HEAD\n${text}`)).toEqual([null, 'schema_version', 'RETAKE_CASSETTE_CONFLICT', 'line 1'])
  expect(fileVerdict(text.replace('"version": 2', '"version": 1'))).toEqual([
    1,
    'schema_version',
    'RETAKE_CASSETTE_VERSION',
    'version',
  ])
  expect(fileVerdict(text.replace('"version": 2', '"version": "x"'))).toEqual([
    null,
    'schema_version',
    'RETAKE_CASSETTE_CORRUPT',
    'line 2, column 14',
  ])
  expect(fileVerdict('[]')).toEqual([null, 'schema_version', 'RETAKE_CASSETTE_CORRUPT', 'line 1, column 1'])
})

test('a change of one byte of a file is found where it changes the trace', () => {
  const original = JSON.stringify(JSON.parse(text))
  let found = 0
  for (let at = 0; at < text.length; at++) {
    const changed = `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`
    const isFound = !verifyText(changed).pass
    if (isFound) found++
    // Ids and times of the header are not covered by the hashes of version 2.
    const isUncovered = at < text.indexOf('"steps"') || /"id": "[^"]*$/.test(text.slice(0, at))
    expect([at, isFound || isUncovered || printed(changed) === original]).toEqual([at, true])
  }
  expect(found).toBeGreaterThan(1000)
})

function printed(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}
