import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compareRendererOutcomes } from './renderer-outcomes.ts'

const published = new URL('../../../../test/corpus/agentskit/renderer-outcomes.json', import.meta.url)
const outcome = (turnId: string, kind: string, value?: unknown) => ({
  turnId,
  kind,
  ...(value !== undefined && { value }),
})
const compare = (...renderers: unknown[]) => compareRendererOutcomes(renderers as never)
const react = (...outcomes: unknown[]) => ({ renderer: 'react', outcomes })
const ink = (...outcomes: unknown[]) => ({ renderer: 'ink', outcomes })

test('the published outcomes differ in one', () => {
  expect(compareRendererOutcomes(JSON.parse(readFileSync(published, 'utf8')))).toEqual({
    ok: false,
    baseline: 'react',
    renderers: ['react', 'ink'],
    mismatches: [
      {
        ...{ renderer: 'ink', turnId: 'turn-1', kind: 'component' },
        expected: outcome('turn-1', 'component', { key: 'confirmation' }),
        actual: outcome('turn-1', 'component', { key: 'fallback' }),
      },
    ],
  })
})

test('the order of members does not count, that of items does', () => {
  const { ok } = compare(react(outcome('a', 'b', { x: 1, y: [1, 2] })), ink(outcome('a', 'b', { y: [1, 2], x: 1 })))
  expect(ok).toBe(true)
  expect(compare(react(outcome('a', 'b', [1, 2])), ink(outcome('a', 'b', [2, 1]))).mismatches).toHaveLength(1)
})

test('missing outcomes are told in the order in which they first stand; no value is not null', () => {
  const report = compare(
    react(outcome('one', 'text', 'ok'), outcome('two', 'action'), outcome('two', 'text', null)),
    ink(outcome('three', 'fallback'), outcome('one', 'text', 'ok'), outcome('two', 'text')),
  )
  expect(report.mismatches.map(({ turnId, kind, expected, actual }) => [turnId, kind, expected, actual])).toEqual([
    ['two', 'action', outcome('two', 'action'), undefined],
    ['two', 'text', outcome('two', 'text', null), outcome('two', 'text')],
    ['three', 'fallback', undefined, outcome('three', 'fallback')],
  ])
  expect(Object.isFrozen(report.mismatches[0]?.expected)).toBe(true)
})

test.each([
  ['one renderer', [react()], 'At least two renderer results are compared.'],
  ['a renderer twice', [react(), react()], 'Renderer ids must be unique.'],
  [
    'a pair twice',
    [react(), ink(outcome('a', 'b'), outcome('a', 'b', 1))],
    'Turn and kind pairs must be unique per renderer.',
  ],
  [
    'an unknown member',
    [react(), { ...ink(), other: 1 }],
    'A renderer result has a member that the format does not know.',
  ],
  ['an id that is not portable', [react(outcome('a b', 'c')), ink()], 'An id has 1 to 128 letters'],
  [
    '10,001 outcomes',
    [react(), ink(...Array.from({ length: 10_001 }, (_, n) => outcome(`t${n}`, 'text')))],
    'A renderer has at most 10,000 outcomes.',
  ],
])('%s cannot be compared', (_, renderers, reason) => {
  expect(() => compare(...renderers)).toThrow(expect.objectContaining({ code: 'RETAKE_CONFIG' }))
  expect(() => compare(...renderers)).toThrow(reason)
})
