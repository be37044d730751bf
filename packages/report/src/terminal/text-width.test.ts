import { expect, test } from 'vitest'
import { cutText, padText, textWidth, toLine } from './text-width.ts'

test.each([
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['😀', 2],
  ['', 0],
])('%s takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width)
})

test('a text is cut with an ellipsis, never inside a character', () => {
  expect(cutText('abcdef', 6)).toBe('abcdef')
  expect(cutText('abcdef', 5)).toBe('abcd…')
  expect(cutText('日本語', 5)).toBe('日本…')
  expect(cutText('日本語', 4)).toBe('日…')
  expect(cutText('😀😀', 3)).toBe('😀…')
})

test('columns line up', () => {
  expect(padText('日', 4)).toBe('日  ')
  expect(padText('long', 2)).toBe('long')
})

test('a text becomes one line that is safe to print', () => {
  expect(toLine('a\n\n\tb\r\u001b')).toBe('a b\\u000d\\u001b')
})
