import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byCodePoint } from './code-point-order.ts'
import { parseTokens } from './parse-tokens.ts'
import { changedNumbers, fromPlain, toPlain } from './plain-json.ts'
import { printPython } from './print-python.ts'
import { formatPythonNumber } from './python-number.ts'
import { NumberToken } from './tokens.ts'

const vectorsFile = new URL('../../../../test/corpus/backspin/fingerprint-vectors.generated.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(vectorsFile, 'utf8')) as {
  vectors: { name: string; canonical: string; canonical_utf8_hex: string }[]
}
const compactSorted = { compact: true, sortKeys: true }

test.each(vectors)('Python wrote and writes: $name', ({ canonical, canonical_utf8_hex }) => {
  const value = parseTokens(canonical, { nonFinite: true })
  expect(Buffer.from(printPython(value, compactSorted)).toString('hex')).toBe(canonical_utf8_hex)
})

// repr() of CPython 3.
test.each([
  ['1.0', '1.0'],
  ['1', '1'],
  ['-0', '0'],
  ['-0.0', '-0.0'],
  ['1e16', '1e+16'],
  ['1e15', '1000000000000000.0'],
  ['9999999999999998.0', '9999999999999998.0'],
  ['123456789012345680.0', '1.2345678901234568e+17'],
  ['1e-4', '0.0001'],
  ['1e-5', '1e-05'],
  ['0.00012345', '0.00012345'],
  ['1.5e-7', '1.5e-07'],
  ['1e22', '1e+22'],
  ['1E400', 'Infinity'],
  ['-1e400', '-Infinity'],
  ['5e-324', '5e-324'],
  ['1.7976931348623157e308', '1.7976931348623157e+308'],
  ['812.4', '812.4'],
  ['1756448402.1', '1756448402.1'],
  ['0.1', '0.1'],
  ['100.0', '100.0'],
  ['9007199254740993', '9007199254740993'],
  ['12345678901234567890123', '12345678901234567890123'],
])('%s is %s for Python', (token, text) => {
  expect(formatPythonNumber(new NumberToken(token))).toBe(text)
})

test('the default layout of json.dumps, members where they stood', () => {
  const text = '{"b": 1, "2": [1.0, {}, []], "__proto__": {"a": null}, "ä": "a\\"\\\\\\n\\u0001\u2028"}'
  expect(printPython(parseTokens(text))).toBe(text)
})

test('a value of JavaScript comes back, __proto__ as a member like others', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value)
      const again = toPlain(fromPlain(JSON.parse(text)))
      expect(JSON.stringify(again)).toBe(text)
    }),
  )
  expect(Object.keys(toPlain(parseTokens('{"__proto__": 1}')) as object)).toEqual(['__proto__'])
})

test('keys go by code point', () => {
  expect(['😀', '\ufffd', 'a', '\ud7ff', '', 'ab'].sort(byCodePoint)).toEqual(['', 'a', 'ab', '\ud7ff', '\ufffd', '😀'])
})

test('numbers that JavaScript would change are found', () => {
  const value = parseTokens('{"a": [1, 1.0, 1.5, 9007199254740993], "b.c": NaN, "d": 1e3, "e": 9007199254740992}', {
    nonFinite: true,
  })
  expect(changedNumbers(value)).toEqual(['a[1]', 'a[3]', '["b.c"]', 'd'])
  expect(JSON.stringify(toPlain(value))).toBe(
    '{"a":[1,1,1.5,9007199254740992],"b.c":null,"d":1000,"e":9007199254740992}',
  )
})

describe('what is no JSON', () => {
  test.each([
    ['', 0, 'a value is missing'],
    ['{"a":1,"a":1}', 7, 'a member name stands twice'],
    ['{"a":1,"\\u0061":1}', 7, 'a member name stands twice'],
    ['{a:1}', 1, 'a member name in quotes is missing'],
    ['{"a" 1}', 5, 'a colon is missing'],
    ['[1 2]', 3, 'a comma or a closing bracket'],
    ['{"a":1', 6, 'the text ends too early'],
    ['[1,]', 3, 'a value is missing'],
    ['01', 1, 'text after the end'],
    ['"a\nb"', 0, 'a string holds what JSON does not allow'],
    ['"\\x"', 0, 'a string holds what JSON does not allow'],
    ['["a', 1, 'a string is not closed'],
    ['NaN', 0, 'a value is missing'],
    ['nulL', 0, 'a value is missing'],
    ['1 1', 2, 'text after the end'],
    [`${'['.repeat(257)}${']'.repeat(257)}`, 256, 'deeper than 256'],
  ])('%j', (text, at, reason) => {
    expect(() => parseTokens(text)).toThrow(expect.objectContaining({ at, message: expect.stringContaining(reason) }))
  })

  test('256 levels are read', () => {
    expect(parseTokens(`${'['.repeat(256)}${']'.repeat(256)}`)).toHaveLength(1)
  })

  test('half of a surrogate pair and NaN are refused where they have no place', () => {
    expect(() => printPython('\ud800')).toThrow('half of a surrogate pair')
    const infinite = parseTokens('[Infinity, 1e999]', { nonFinite: true })
    expect(printPython(infinite)).toBe('[Infinity, Infinity]')
    expect(() => printPython(infinite, { nonFinite: false })).toThrow('NaN or infinite')
  })
})
