import { expect, test } from 'vitest'
import { createBases, createNumbering, toInput, toPieces } from './base.ts'

/** The base chosen for each of some requests; letters are messages. */
function basesOf(...requests: [messages: string, members?: Record<string, number>][]) {
  const number = createNumbering()
  const findBase = createBases()
  return requests.map(
    ([messages, members = {}], step) => findBase(toInput(step, { messages: [...messages], ...members }, number))?.step,
  )
}

test('the base shares the most messages, wherever they stand', () => {
  expect(basesOf(['abc'], ['xyz'], ['cxab'])).toEqual([undefined, undefined, 0])
  expect(basesOf(['abc'], ['ab'], ['abcd'])).toEqual([undefined, 0, 0])
})

test('of equals it shares the most members, and then it is the latest', () => {
  expect(basesOf(['a', { model: 1 }], ['a', { model: 2 }], ['ab', { model: 1 }])).toEqual([undefined, 0, 0])
  expect(basesOf(['a', { model: 1 }], ['a', { model: 1 }], ['ab', { model: 1 }])).toEqual([undefined, 0, 1])
})

test('a request that shares nothing has no base, equal members are enough', () => {
  expect(basesOf(['a', { model: 1 }], ['b', { model: 2 }])).toEqual([undefined, undefined])
  expect(basesOf(['a', { model: 1 }], ['b', { model: 1 }])).toEqual([undefined, 0])
  expect(basesOf([''], [''])).toEqual([undefined, undefined])
})

test('a message that comes twice counts twice', () => {
  expect(basesOf(['ab'], ['cd'], ['aacdxx'])).toEqual([undefined, undefined, 1])
  expect(basesOf(['ab'], ['cd'], ['aaacdxx'])).toEqual([undefined, undefined, 0])
})

const pieces = (messages: string, base: string) =>
  toPieces(
    [...messages].map((letter) => letter.charCodeAt(0)),
    [...base].map((letter) => letter.charCodeAt(0)),
  ).map((piece) => ('keep' in piece ? piece.keep.join('-') : messages[piece.message]))

test('pieces are the longest runs from the left, at the lowest index', () => {
  expect(pieces('abcd', 'abc')).toEqual(['0-3', 'd'])
  expect(pieces('bc', 'abc')).toEqual(['1-3'])
  expect(pieces('xab', 'abyab')).toEqual(['x', '0-2'])
  expect(pieces('abc', 'ababc')).toEqual(['2-5'])
  expect(pieces('abab', 'ab')).toEqual(['0-2', '0-2'])
  expect(pieces('aaaa', 'aa')).toEqual(['0-2', '0-2'])
  expect(pieces('', 'a')).toEqual([])
  expect(pieces('ba', 'ab')).toEqual(['1-2', '0-1'])
})
