import { expect, test } from 'vitest'
import { escapeInvisible, formatDifference, formatValue } from './format-difference.ts'

test('a change shows both values, an addition and a removal their one', () => {
  expect(formatDifference({ path: 'messages[0].content', kind: 'changed', before: 'a', after: 'b' })).toBe(
    'messages[0].content: "a" → "b"',
  )
  expect(formatDifference({ path: 'params.seed', kind: 'added', after: 7 })).toBe('params.seed: added 7')
  expect(formatDifference({ path: 'tools[2]', kind: 'removed', before: { name: 'x' } })).toBe(
    'tools[2]: removed {"name":"x"}',
  )
  expect(formatDifference({ path: '', kind: 'changed', before: null, after: [] })).toBe('(root): null → []')
})

test('a value is cut at 200 characters', () => {
  expect(formatValue('x'.repeat(500))).toBe(`"${'x'.repeat(199)}…`)
  expect(formatValue('x'.repeat(198))).toBe(`"${'x'.repeat(198)}"`)
})

test('two long values are cut where they differ', () => {
  const text = formatDifference({
    path: 'systemPrompt',
    kind: 'changed',
    before: `${'x'.repeat(1_000)} old ${'y'.repeat(1_000)}`,
    after: `${'x'.repeat(1_000)} new ${'y'.repeat(1_000)}`,
  })
  expect(text).toMatch(/^systemPrompt: …x+ old y+… → …x+ new y+…$/)
})

test.each([
  ['\u001b[31m', '\\u001b[31m'],
  ['a\rb\tc', 'a\\rb\\tc'],
  ['\u009b', '\\u009b'],
  ['a\u202eb', 'a\\u202eb'],
  ['a\u200bb\ufeff', 'a\\u200bb\\ufeff'],
  ['\u2028', '\\u2028'],
  ['\u{e0041}', '\\udb40\\udc41'],
  ['\ud83d', '\\ud83d'],
])('%j is made visible', (text, visible) => {
  expect(escapeInvisible(text)).toBe(visible)
})

test.each(['é', '日本', '😀', '❤️', 'نص'])('%s is left as it is', (text) => {
  expect(escapeInvisible(text)).toBe(text)
})

test('a path with control characters in a key is safe to print', () => {
  expect(formatDifference({ path: '["\u202e"]', kind: 'added', after: 1 })).toBe('["\\u202e"]: added 1')
})
