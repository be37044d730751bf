import { expect, test } from 'vitest'
import { cutText, padText, textWidth, toLine, wrapText } from './text-width.ts'

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
  expect(toLine('a\n\n\tb\r\u001b')).toBe('a b\\r\\u001b')
})

test.each([
  ['one two three', 7, ['one two', 'three']],
  ['one two three', 8, ['one two', 'three']],
  ['onetwothree', 4, ['onet', 'woth', 'ree']],
  ['a onetwothree', 4, ['a', 'onet', 'woth', 'ree']],
  ['金曜日は休み', 4, ['金曜', '日は', '休み']],
  ['one', 3, ['one']],
  ['', 3, ['']],
  ['金', 1, ['金']],
  ['😀😀', 1, ['😀', '😀']],
  ['one ', 3, ['one']],
])('%j wraps at %i columns', (text, width, lines) => {
  expect(wrapText(text, width)).toEqual(lines)
})
