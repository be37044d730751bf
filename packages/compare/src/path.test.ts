import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ANY, formatPath, parsePath } from './path.ts'

test('identifiers are dotted, other keys quoted, indexes in brackets', () => {
  expect(formatPath(['messages', 0, 'content'])).toBe('messages[0].content')
  expect(formatPath(['params', 'a.b', '0', ''])).toBe('params["a.b"]["0"][""]')
  expect(formatPath(['x-y', 'z'])).toBe('["x-y"].z')
  expect(formatPath([])).toBe('')
})

test('a star stands for any index or key', () => {
  expect(parsePath('tools[*].description')).toEqual(['tools', ANY, 'description'])
  expect(parsePath('params.*')).toEqual(['params', ANY])
  expect(parsePath('params["*"]')).toEqual(['params', '*'])
})

test('every path is read back as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.nat())), (path) => {
      expect(parsePath(formatPath(path))).toEqual(path)
    }),
  )
})
