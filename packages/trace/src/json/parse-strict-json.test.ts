import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkJson } from './check-json.ts'
import { parseStrictJson } from './parse-strict-json.ts'

const outcome = (read: () => unknown) => {
  try {
    return { value: read() }
  } catch (error) {
    return { error: (error as Error).message, at: (error as { at?: unknown }).at }
  }
}
const slowly = (text: string) => {
  checkJson(text, 8)
  return JSON.parse(text)
}

test.each([
  '{"a":1,"a":2}',
  '{"a":{"b":1,"\\u0062":2}}',
  '{"__proto__":1,"x":{"__proto__":{"y":2}}}',
  '{"__proto__":1,"__proto__":2}',
  '{"1":1,"0":2,"1":3}',
  '[1e400]',
  '{"a":[-1e999]}',
  '[[[[[[[[1]]]]]]]]',
  '[[[[[[[[[1]]]]]]]]]',
  '{"a":":[[[[[[[[[[[["}',
  '["\\\\"]',
  '["\\\\\\"]]]", 1]',
  '["\\"',
  '"\\',
  '"a\nb"',
  '"\\x"',
  '[1] 2',
  '{"a" 1}',
  '{:1}',
  '[',
  '',
])('%s is read as slowly', (text) => {
  expect(outcome(() => parseStrictJson(text, 8))).toEqual(outcome(() => slowly(text)))
})

test('a text that is changed anywhere is read as slowly', () => {
  const characters = fc.constantFrom('"', '\\', ':', ',', '{', '}', '[', ']', '1', 'e', '9', ' ', '\n', '\u0000', 'a')
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 4 }),
      fc.nat(),
      fc.nat(3),
      fc.array(characters, { maxLength: 3 }),
      (text, at, cut, by) => {
        const start = at % (text.length + 1)
        const changed = text.slice(0, start) + by.join('') + text.slice(start + cut)
        expect(outcome(() => parseStrictJson(changed, 8))).toEqual(outcome(() => slowly(changed)))
      },
    ),
    { numRuns: 2000 },
  )
})

test('nesting without end is refused before it is parsed', () => {
  for (const text of ['['.repeat(5_000_000), '{"a":'.repeat(1_000_000)]) {
    expect(() => parseStrictJson(text, 256)).toThrow('the nesting is deeper than 256 levels')
  }
})
