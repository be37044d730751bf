import { expect, test } from 'vitest'
import { corpus, corpusText } from '../test/corpus.ts'
import { CassetteConflictError, CassetteCorruptError, CassetteVersionError, type RetakeError } from './error.ts'
import { formatTrace } from './format-cassette.ts'
import { parseTrace } from './parse-cassette.ts'

const small = corpusText('success-final-answer.v2.json')

function errorOf(text: string): RetakeError {
  try {
    parseTrace(text, { path: 'a.cassette.json' })
  } catch (error) {
    return error as RetakeError
  }
  throw new Error('the text was accepted')
}

test.each(corpus)('$name is printed as it was read', ({ text }) => {
  expect(formatTrace(parseTrace(text))).toBe(text)
})

test('other layouts are read', () => {
  const compact = JSON.stringify(JSON.parse(small))
  expect(formatTrace(parseTrace(`${compact}\r\n`))).toBe(small)
})

test('a member named __proto__ survives as an ordinary member', () => {
  const text = small.replace(
    '"type": "final_answer"',
    '"__proto__": {\n          "a": 1\n        },\n        "type": "final_answer"',
  )
  const payload = parseTrace(text).steps[1]?.payload as object
  expect(Object.hasOwn(payload, '__proto__')).toBe(true)
  expect(Object.getPrototypeOf(payload)).toBe(Object.prototype)
  expect(formatTrace(parseTrace(text))).toBe(text)
})

const trace = (rest: string) => `{ "version": 2,\n${rest} }`
const step = (rest: string) => trace(`"id": "a", "createdAt": 0, "steps": [\n${rest}]`)

test.each([
  ['', 'the file is empty', 1, 1],
  [' \n', 'the file is empty', 1, 1],
  [`\ufeff${small}`, 'the file starts with a byte order mark', 1, 1],
  ['{"a":1,}', 'a member name in quotes is missing', 1, 8],
  ['[1,\n 2 3]', 'a comma or a closing bracket is missing', 2, 4],
  ['{"a" 1}', 'a colon is missing', 1, 6],
  ['{"a":nope}', 'a value is missing', 1, 6],
  ['{"a":01}', 'a comma or a closing brace is missing', 1, 7],
  ['{"a":-}', 'a number is not written as JSON writes numbers', 1, 6],
  ['{"a":1e400}', 'a number is out of range', 1, 6],
  ['{"a":NaN}', 'a value is missing', 1, 6],
  ['{"a":"x\ny"}', 'a string holds a control character or is not closed on its line', 1, 8],
  ['{"a":"\\x"}', 'a string holds an escape that JSON does not know', 1, 7],
  ["{'a':1}", 'a member name in quotes is missing', 1, 2],
  ['{} {}', 'there is text after the end of the JSON value', 1, 4],
  ['{"a":1,"b":{"a":1},\n"\\u0061":2}', 'a member name stands twice in one object', 2, 1],
  ['[]', 'the top level is no object', 1, 1],
  ['"secret"', 'the top level is no object', 1, 1],
  ['{}', 'version is missing', 1, 1],
  ['{"version":\n"two"}', 'version is not a number', 2, 1],
  [trace('"createdAt": 0, "steps": []'), 'id is missing', 1, 1],
  [trace('"id": 7, "createdAt": 0, "steps": []'), 'id is not a string', 2, 7],
  [trace('"id": "a", "createdAt": "now", "steps": []'), 'createdAt is not a number', 2, 25],
  [trace('"id": "a", "createdAt": 0, "steps": {}'), 'steps is not an array', 2, 37],
  [trace('"id": "a", "createdAt": 0, "steps": [], "parentId": null'), 'parentId is not a string', 2, 53],
  [step(' 7'), 'a step is no object', 3, 2],
  [step('{ "id": "a:0", "index": 0, "type": "secret" }'), 'type is not a known step type', 3, 36],
  [step('{ "id": "a:0", "index": 0 }'), 'type is missing', 3, 1],
])('broken text is refused: %#', (text, reason, line, column) => {
  const error = errorOf(text)
  expect(error).toBeInstanceOf(CassetteCorruptError)
  expect(error.message).toBe(`the cassette is broken: ${reason}\n  a.cassette.json:${line}:${column}`)
  expect(error.details).toMatchObject({ path: 'a.cassette.json', line, column })
})

test('the step of a fault is in the details', () => {
  const text = small.replace('"index": 1,', '"index": "1",')
  expect(errorOf(text).details).toEqual({
    path: 'a.cassette.json',
    line: text.slice(0, text.indexOf('"index": "1"')).split('\n').length,
    column: 16,
    step: 1,
    member: 'steps[1].index',
  })
})

test('every truncation is refused with one typed error at its end, without content', () => {
  for (let length = 0; length < small.length; length++) {
    const error = errorOf(small.slice(0, length))
    expect(error).toBeInstanceOf(CassetteCorruptError)
    expect(error.message).toMatch(/^the cassette is broken: [a-z ,]+(: [a-zJSON ]+)?\n {2}a\.cassette\.json:\d+:\d+$/)
  }
})

test('conflict markers are named by the line of the first', () => {
  const lines = small.split('\n')
  lines.splice(4, 0, '<<<<<<< HEAD', '    "x": 1,', '=======', '>>>>>>> feature')
  const error = errorOf(lines.join('\n'))
  expect(error).toBeInstanceOf(CassetteConflictError)
  expect(error.details).toEqual({ path: 'a.cassette.json', line: 5 })
})

test('text like a conflict marker inside a string is data', () => {
  const text = small.replace('"type": "final_answer"', '"type": "<<<<<<< HEAD\\n======="')
  expect(formatTrace(parseTrace(text))).toBe(text)
})

test('version 1 is refused with the way out, later ones by number', () => {
  const versionOne = errorOf(small.replace('"version": 2', '"version": 1'))
  expect(versionOne).toBeInstanceOf(CassetteVersionError)
  expect(versionOne.message).toContain('re-record the run')
  const later = errorOf(small.replace('"version": 2', '"version": 17'))
  expect(later).toBeInstanceOf(CassetteVersionError)
  expect(later.details).toEqual({ path: 'a.cassette.json', version: 17 })
})

test('nesting over the limit is refused, at it accepted', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  const text = (levels: number) =>
    JSON.stringify({ ...JSON.parse(small), extra: 0 }).replace('"extra":0', `"extra":${nested(levels)}`)
  expect(parseTrace(text(255)).steps).toHaveLength(3)
  expect(errorOf(text(256)).message).toContain('the nesting is deeper than 256 levels')
  expect(errorOf(nested(10_000)).message).toContain('the nesting is deeper than 256 levels')
})

test('a text over the size limit is refused', () => {
  expect(() => parseTrace(small, { maxBytes: 100 })).toThrow('the file is larger than 100 bytes')
  expect(parseTrace(small, { maxBytes: Buffer.byteLength(small) }).steps).toHaveLength(3)
})
