import { expect, test } from 'vitest'
import type { JsonValue } from '../json/json.ts'
import { printV3 } from './layout.ts'

const print = (payload: JsonValue) =>
  printV3({
    version: 3,
    id: 'a',
    createdAt: 0,
    steps: [{ type: 'metadata', payload, sum: '0123456789abcdef' }],
    at: [0],
    seal: 's',
  }).split('\n')

test('a step is one line up to a width of 100', () => {
  const around = '    { "type": "metadata", "payload": "", "sum": "0123456789abcdef" }'.length
  const [fits, long] = ['x'.repeat(100 - around), 'x'.repeat(101 - around)]
  expect(print(fits)[5]).toBe(`    { "type": "metadata", "payload": "${fits}", "sum": "0123456789abcdef" }`)
  expect(print(fits)[5]).toHaveLength(100)
  expect(print(long).slice(5, 8)).toEqual([
    '    { "type": "metadata",',
    `      "payload": "${long}",`,
    '      "sum": "0123456789abcdef" }',
  ])
})

test('a member is one line up to a width of 100 with its indentation, name and comma', () => {
  const pad = 'y'.repeat(100)
  const inner = (length: number) => ({ a: 'x'.repeat(length) })
  const around = '        "k": { "a": "" },'.length
  const [fits, long] = [inner(100 - around), inner(101 - around)]
  expect(print({ k: fits, pad })[7]).toBe(`        "k": { "a": "${fits.a}" },`)
  expect(print({ k: long, pad }).slice(7, 10)).toEqual(['        "k": {', `          "a": "${long.a}"`, '        },'])
  // The last member has no comma, so one character more fits.
  expect(print({ pad, k: long })[8]).toBe(`        "k": { "a": "${long.a}" }`)
})

test('an array of numbers is one line whatever its width, and breaks what holds it', () => {
  const numbers = Array.from({ length: 60 }, (_, at) => at)
  expect(print({ numbers }).slice(6, 9)).toEqual([
    '      "payload": {',
    `        "numbers": [${numbers.join(', ')}]`,
    '      },',
  ])
})

test('lines of text open behind their name, one text a line', () => {
  expect(print({ a: [{ $lines: ['x', ''] }, 1], b: {} }).slice(5)).toEqual([
    '    { "type": "metadata",',
    '      "payload": {',
    '        "a": [',
    '          { "$lines": [',
    '            "x",',
    '            ""',
    '          ] },',
    '          1',
    '        ],',
    '        "b": {}',
    '      },',
    '      "sum": "0123456789abcdef" }',
    '  ],',
    '  "at": [0],',
    '  "seal": "s"',
    '}',
    '',
  ])
})

test('data with a name like lines is ordinary data', () => {
  expect(print({ $$lines: ['x', 'y'] })[5]).toContain('"payload": { "$$lines": ["x", "y"] }')
})

test('empty lists and objects stay together at any depth', () => {
  let deep: JsonValue = [{}, []]
  for (let level = 0; level < 60; level++) deep = [deep, 1]
  expect(print(deep).map((line) => line.trim())).toEqual(expect.arrayContaining(['{},', '[]']))
  const empty = { version: 3, id: 'a', createdAt: 0, steps: [], at: [], seal: 's' } as const
  expect(printV3({ ...empty, steps: [], at: [] })).toBe(
    '{\n  "version": 3,\n  "id": "a",\n  "createdAt": 0,\n  "steps": [],\n  "at": [],\n  "seal": "s"\n}\n',
  )
})

test('unseen characters are written as escapes and count with them', () => {
  expect(print({ 'a\u200b': '\u200b\u200f\u202a\u202e\u2066\u2069\ufeff\u200a\u2010\u2070' }).join('')).toContain(
    '"a\\u200b": "\\u200b\\u200f\\u202a\\u202e\\u2066\\u2069\\ufeff\u200a\u2010\u2070"',
  )
  expect(print('\u200b'.repeat(10))[5]).toBe('    { "type": "metadata",')
})
