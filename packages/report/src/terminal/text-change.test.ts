import { expect, test } from 'vitest'
import { createStyle } from './style.ts'
import { renderTextChange } from './text-change.ts'

const options = { style: createStyle(), width: 80 }
const numbers = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at + 1}`)

test('two lines around a change are shown, the others counted', () => {
  const before = numbers(20)
  const after = before.with(4, 'line five').with(17, 'line eighteen')
  expect(renderTextChange(before.join('\n'), after.join('\n'), options)).toEqual([
    '  … 2 equal lines',
    '  line 3',
    '  line 4',
    '- line 5',
    '+ line five',
    '  line 6',
    '  line 7',
    '  … 8 equal lines',
    '  line 16',
    '  line 17',
    '- line 18',
    '+ line eighteen',
    '  line 19',
    '  line 20',
  ])
})

test('the words that changed are marked, as one where only white space is between them', () => {
  const style = createStyle({ colors: true })
  const [removed, added] = renderTextChange('late by more than 14 days', 'late by at least 10 days', {
    style,
    width: 80,
  })
  expect(removed).toContain('by \u001b[4mmore than 14\u001b[24m days')
  expect(added).toContain('by \u001b[4mat least 10\u001b[24m days')
})

test('two lines that have little in common are not marked word by word', () => {
  const style = createStyle({ colors: true })
  const lines = renderTextChange('The quick brown fox jumps', 'Answer in one sentence', { style, width: 80 })
  expect(lines.join('')).not.toContain('\u001b[4m')
})

test('both versions of a long line are cut at the same places, and as little as the width asks for', () => {
  const line = (days: number) => `${'before '.repeat(20)}${days} days ${'behind '.repeat(20)}`.trim()
  expect(renderTextChange(line(14), line(10), options)).toEqual([
    '- …before before before before before 14 days behind behind behind behind b…',
    '+ …before before before before before 10 days behind behind behind behind b…',
  ])
})

test('a line that only got longer is whole where it fits', () => {
  expect(renderTextChange('gpt', 'gpt-mini', options)).toEqual(['- gpt', '+ gpt-mini'])
})

test.each([
  ['Where is it?', 'Where is it? ', '- Where is it?', '+ Where is it?·'],
  ['a  b', 'a b', '- a··b', '+ a·b'],
  ['a\tb', 'a  b', '- a\\tb', '+ a··b'],
  ['20 €', '20\u00a0€', '- 20·€', '+ 20\\u00a0€'],
  ['a caf\u00e9', 'a cafe\u0301', '- a caf\\u00e9', '+ a cafe\\u0301'],
])('what looks the same is told apart: %j and %j', (before, after, ...lines) => {
  expect(renderTextChange(before, after, options)).toEqual(lines)
})

test.each([
  ['a\r\nb\r\n', 'a\nb\n', '- (lines end with CRLF)', '+ (lines end with LF)'],
  ['a\nb\n', 'a\r\nb\n', '- (lines end with LF)', '+ (lines end with CRLF and LF)'],
])('texts that differ in the ends of their lines only say so: %j and %j', (before, after, ...lines) => {
  expect(renderTextChange(before, after, options)).toEqual(lines)
})

test('a space beside a changed word is not marked', () => {
  const style = createStyle({ colors: true })
  const [, added] = renderTextChange('B-17 arrived on time', 'B-17 will arrive on time', { style, width: 80 })
  expect(added).toContain('B-17 \u001b[4mwill arrive\u001b[24m on time')
})

test('an empty line that came or went is named', () => {
  expect(renderTextChange('a\nb', 'a\n\nb', options)).toEqual(['  a', '+ (empty line)', '  b'])
})

test('more lines than asked for are counted', () => {
  expect(renderTextChange(numbers(3).join('\n'), 'x', { ...options, most: 3 })).toEqual([
    '- line 1',
    '- line 2',
    '  … 2 more lines',
  ])
})

test('a text of a hundred thousand changed lines is only cut', () => {
  const before = numbers(100_000)
  const after = before.map((line) => `${line}!`)
  const lines = renderTextChange(before.join('\n'), after.join('\n'), { ...options, most: 10 })
  expect(lines).toHaveLength(10)
  expect(lines.at(-1)).toBe(`  … ${200_000 - 9} more lines`)
})
