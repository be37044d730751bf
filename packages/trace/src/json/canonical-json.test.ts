import { expect, test } from 'vitest'
import { UnsupportedError } from '../error.ts'
import { canonicalJson } from './canonical-json.ts'

test('keys are sorted by UTF-16 code units at every level and arrays keep their order', () => {
  // U+1F600 is stored as D83D DE00, so it comes before U+FFFD although its code point is larger.
  const value = { b: [3, { z: 1, a: 2 }], '\ufffd': 1, '\u{1f600}': 2, a: null, 10: 1, 9: 1, B: true }
  expect(canonicalJson(value)).toBe('{"10":1,"9":1,"B":true,"a":null,"b":[3,{"a":2,"z":1}],"\u{1f600}":2,"\ufffd":1}')
})

test('numbers print as ECMAScript prints them and minus zero as zero', () => {
  expect(canonicalJson([1.0, 1e16, 1e21, 1e-7, -0, 0.1, 2 ** 53 + 1])).toBe(
    '[1,10000000000000000,1e+21,1e-7,0,0.1,9007199254740992]',
  )
})

test('strings are escaped as JSON.stringify does, lone surrogates included', () => {
  expect(canonicalJson(['\u2028\u007fé', '\ud800', '\u0001\n"\\', '/'])).toBe(
    '["\u2028\u007fé","\\ud800","\\u0001\\n\\"\\\\","/"]',
  )
  expect(canonicalJson({ '\udc00': 1 })).toBe('{"\\udc00":1}')
})

test('a member named __proto__ is an ordinary member', () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":2}}'))).toBe('{"__proto__":{"x":2},"b":1}')
})

test('toJSON is not honoured', () => {
  class Order {
    id = 7
    toJSON() {
      return 'seven'
    }
  }
  expect(canonicalJson({ order: new Order() })).toBe('{"order":{"id":7}}')
  expect(canonicalJson({ toJSON: 'a word' })).toBe('{"toJSON":"a word"}')
})

test.each([
  ['undefined', undefined, ''],
  ['undefined', { a: [1, { b: undefined }] }, 'a[1].b'],
  ['undefined', [undefined], '[0]'],
  ['a non-finite number', { n: Number.NaN }, 'n'],
  ['a non-finite number', [Number.POSITIVE_INFINITY], '[0]'],
  ['a bigint', { n: 1n }, 'n'],
  ['a function', { f: () => 1 }, 'f'],
  ['a symbol', [Symbol('s')], '[0]'],
  ['an object without members of its own', { m: new Map([[1, 2]]) }, 'm'],
  ['an object without members of its own', new Date(0), ''],
])('%s is refused with its place', (what, value, where) => {
  expect(() => canonicalJson(value)).toThrow(
    new UnsupportedError(`Cannot canonicalize ${what}${where && ` at ${where}`}`, { name: what, where }),
  )
})

test('a circular reference is refused, a shared one is not', () => {
  const shared = { a: 1 }
  expect(canonicalJson([shared, shared])).toBe('[{"a":1},{"a":1}]')
  const circular: { me?: unknown } = {}
  circular.me = circular
  expect(() => canonicalJson(circular)).toThrow('Cannot canonicalize a circular reference at me')
})
