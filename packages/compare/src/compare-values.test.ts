import type { JsonValue } from '@retake/trace'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareValues } from './compare-values.ts'
import { equalJson } from './equal-json.ts'

test('every changed, added and removed member is listed at its deepest path', () => {
  expect(compareValues({ a: 1, b: { c: [1, 2], d: null } }, { a: 2, b: { c: [1, 3], e: null } })).toEqual([
    { path: 'a', kind: 'changed', before: 1, after: 2 },
    { path: 'b.c[1]', kind: 'changed', before: 2, after: 3 },
    { path: 'b.d', kind: 'removed', before: null },
    { path: 'b.e', kind: 'added', after: null },
  ])
})

test('an item put in front of an array is one difference', () => {
  expect(compareValues({ required: ['a', 'b', 'c'] }, { required: ['x', 'a', 'b', 'c'] })).toEqual([
    { path: 'required[0]', kind: 'added', after: 'x' },
  ])
  expect(compareValues([1, 2, 3, 4], [1, 3, 4])).toEqual([{ path: '[1]', kind: 'removed', before: 2 }])
})

test('an object changed in an array that also grew is still compared inside', () => {
  const [one, two] = [
    { sku: 'a', count: 1, note: 'x' },
    { sku: 'b', count: 1, note: 'y' },
  ]
  expect(compareValues([one, two], [{ sku: 'c', count: 9, note: 'z' }, one, { ...two, count: 2 }])).toEqual([
    { path: '[0]', kind: 'added', after: { sku: 'c', count: 9, note: 'z' } },
    { path: '[2].count', kind: 'changed', before: 1, after: 2 },
  ])
})

test('values of other types are one change', () => {
  expect(compareValues({ a: [] }, { a: {} })).toEqual([{ path: 'a', kind: 'changed', before: [], after: {} }])
  expect(compareValues(null, 'x')).toEqual([{ path: '', kind: 'changed', before: null, after: 'x' }])
})

test('names that every object inherits are members like any other', () => {
  expect(compareValues({ constructor: 1 }, {})).toEqual([{ path: 'constructor', kind: 'removed', before: 1 }])
  const [one, other] = [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":2}')]
  expect(compareValues(one, other)).toEqual([{ path: '__proto__', kind: 'changed', before: 1, after: 2 }])
})

test('two large arrays without anything in common are compared in order, soon', () => {
  const numbers = (from: number): JsonValue => Array.from({ length: 20_000 }, (_, at) => from + at)
  const start = performance.now()
  expect(compareValues(numbers(0), numbers(100_000))).toHaveLength(20_000)
  expect(performance.now() - start).toBeLessThan(5_000)
})

test('there is no difference exactly where values are equal, and the order of members is none', () => {
  const jsonValue = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>
  const turned = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(turned)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, turned(member)]),
    )
  }
  fc.assert(
    fc.property(jsonValue, jsonValue, (one, other) => {
      expect(compareValues(one, turned(one))).toEqual([])
      expect(compareValues(one, other).length === 0).toBe(equalJson(one, other))
    }),
  )
})
