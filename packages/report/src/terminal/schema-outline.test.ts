import type { JsonValue } from '@retake/trace'
import { expect, test } from 'vitest'
import { formatType, propertyOf, toOutline } from './schema-outline.ts'

test.each<[JsonValue, string]>([
  [{ type: 'string' }, 'string'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: 'string', pattern: '^A', minLength: 2 }, 'string, minLength 2, pattern ^A'],
  [{ type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
  [{ const: 3 }, '3'],
  [{ type: 'array', items: { type: 'number' }, maxItems: 3 }, 'number[], maxItems 3'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, 'one of string | null'],
  [{ $ref: '#/$defs/Order' }, '#/$defs/Order'],
  [{ type: 'object', properties: { a: {} }, additionalProperties: false }, 'object, additionalProperties false'],
  [{}, 'any'],
  [true, 'any'],
  [false, 'never'],
])('%j is written %s', (schema, type) => {
  expect(formatType(schema)).toBe(type)
})

test('nested properties stand by their path', () => {
  const outline = toOutline({
    type: 'object',
    required: ['address'],
    properties: {
      address: { type: 'object', properties: { street: { type: 'string', description: 'Street.' } } },
      lines: { type: 'array', items: { type: 'object', required: ['sku'], properties: { sku: { type: 'string' } } } },
    },
  })
  expect([...outline.values()].slice(1)).toEqual([
    { name: 'address', type: 'object', isRequired: true },
    { name: 'address.street', type: 'string', isRequired: false, description: 'Street.' },
    { name: 'lines', type: 'object[]', isRequired: false },
    { name: 'lines[].sku', type: 'string', isRequired: true },
  ])
})

test('a difference is traced to the line that shows it', () => {
  expect(propertyOf(['properties', 'a', 'type'], {})).toBe('a')
  expect(propertyOf(['properties', 'a', 'properties', 'b'], {})).toBe('a.b')
  expect(propertyOf(['properties', 'a', 'items', 'properties', 'b', 'enum', 0], {})).toBe('a[].b')
  expect(propertyOf(['properties', 'a', 'items', 'type'], {})).toBe('a')
  expect(propertyOf(['required', 0], { after: 'b' })).toBe('b')
  expect(propertyOf(['properties', 'a', 'required', 1], { before: 'c' })).toBe('a.c')
  expect(propertyOf(['additionalProperties'], {})).toBe('(itself)')
})
