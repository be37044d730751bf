import { expect, test } from 'vitest'
import { UnsupportedError } from '../error.ts'
import { toStoredJson } from './stored-json.ts'

const stored = (value: unknown) => toStoredJson(value, 'the result of tool lookup')

test.each([
  ['plain data', { b: 1, a: [true, null, 'x'] }],
  ['a Date', { at: new Date(1764460800000) }],
  ['a Buffer', Buffer.from('ab')],
  ['an object with toJSON', { price: { toJSON: (key: string) => `as ${key}` } }],
  ['undefined and function members', { a: undefined, b: () => 1, c: 1 }],
  ['undefined and function items, and holes', [undefined, () => 1, 2, ...new Array(1)]],
  ['boxed values', [Object('s'), Object(1), Object(true)]],
  [
    'a class instance with members',
    new (class Order {
      id = 7
    })(),
  ],
  ['an object without prototype', Object.assign(Object.create(null), { a: 1 })],
  ['minus zero', [-0]],
  ['null', null],
  ['an object that stands for null', { toJSON: () => null }],
])('%s is stored as JSON.stringify stores it', (_, value) => {
  expect(stored(value)).toEqual(JSON.parse(JSON.stringify(value)))
})

test('minus zero becomes zero, so that a reloaded trace is the same', () => {
  expect(Object.is(stored(-0), 0)).toBe(true)
})

test('undefined becomes null', () => {
  expect(stored(undefined)).toBeNull()
})

test('the copy does not follow later changes and keeps a member named __proto__', () => {
  const value = JSON.parse('{"__proto__":{"x":1},"list":[1]}')
  const copy = stored(value)
  value.list.push(2)
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"x":1},"list":[1]}')
})

test.each([
  ['A non-finite number', { a: [Number.NaN] }, 'a[0]'],
  ['A non-finite number', Number.NEGATIVE_INFINITY, ''],
  ['A bigint', { n: 1n }, 'n'],
  ['A symbol', { s: Symbol('s') }, 's'],
  ['A Map', { m: new Map([['a', 1]]) }, 'm'],
  ['A Set', [new Set([1])], '[0]'],
  ['A RegExp', /x/, ''],
  ['A Error', { e: new Error('no') }, 'e'],
  ['A Promise', Promise.resolve(1), ''],
  ['A Uint8Array', new Uint8Array(2), ''],
  ['An invalid Date', new Date(Number.NaN), ''],
  ['A class instance without members of its own', new (class Empty {})(), ''],
  ['A function', () => 1, ''],
])('%s is refused with its place', (what, value, path) => {
  expect(() => stored(value)).toThrow(UnsupportedError)
  expect(() => stored(value)).toThrow(`${what} in the result of tool lookup${path && ` at ${path}`} cannot be stored`)
})

test('a circular or bottomless value is refused', () => {
  const circular: { me?: unknown } = {}
  circular.me = circular
  expect(() => stored(circular)).toThrow('A circular reference')
  let deep: unknown = 1
  for (let level = 0; level < 10_000; level++) deep = [deep]
  expect(() => stored(deep)).toThrow('nested more than 240 levels deep')
})
