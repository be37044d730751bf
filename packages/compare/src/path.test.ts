import { formatPath } from '@retake/trace'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ANY, parsePath } from './path.ts'

test('dotted identifiers, quoted keys and indexes are told apart', () => {
  expect(parsePath('messages[0].content')).toEqual(['messages', 0, 'content'])
  expect(parsePath('params["a.b"]["0"][""]')).toEqual(['params', 'a.b', '0', ''])
  expect(parsePath('')).toEqual([])
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
