import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sealed } from '../../test/seal.ts'
import { v3Sample } from '../../test/v3-sample.ts'
import type { StepExtras } from '../cassette-file.ts'
import { CassetteCorruptError, ConfigError } from '../error.ts'
import { formatCassette, formatTrace } from '../format-cassette.ts'
import { parseCassette } from '../parse-cassette.ts'
import { formatChunks, parseChunks } from './chunks.ts'

const { trace } = parseCassette(v3Sample)
const whole: StepExtras = {
  step: 1,
  tokens: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 },
  servedModel: 'gpt-5-2026',
  firstByteMs: 12,
  durationMs: 800.5,
  chunks: [5, 3, 7, 7, 7, 0],
  opaque: [{ part: 0, kind: 'signature', value: { $lines: 'a\nb' } }],
}

test('an entry is one line with its members in order', () => {
  const { step, ...rest } = whole
  const shuffled = { ...Object.fromEntries(Object.entries(rest).reverse()), step } as StepExtras
  const text = formatTrace(trace, { format: 'v3', extras: [shuffled] })
  expect(text).toContain(
    '\n    { "step": 1, "tokens": { "input": 1, "output": 2, "cacheRead": 3, "cacheWrite": 4, "reasoning": 5 }, "servedModel": "gpt-5-2026", "firstByteMs": 12, "durationMs": 800.5, "chunks": "5,3,7x3,0", "opaque": [{ "part": 0, "kind": "signature", "value": { "$lines": "a\\nb" } }] }\n',
  )
  expect(parseCassette(text).extras).toEqual([whole])
})

test('entries without anything are left out', () => {
  expect(formatTrace(trace, { format: 'v3', extras: [{ step: 1, tokens: {} }] })).not.toContain('extras')
})

test.each<[string, StepExtras[]]>([
  ['of another step type', [{ step: 0, durationMs: 1 }]],
  ['of no step', [{ step: 9, durationMs: 1 }]],
  [
    'twice',
    [
      { step: 1, durationMs: 1 },
      { step: 1, durationMs: 2 },
    ],
  ],
  ['with a number that JSON cannot hold', [{ step: 1, durationMs: Number.NaN }]],
  ['with half a token', [{ step: 1, tokens: { input: 0.5 } }]],
])('extras %s are not written', (_, extras) => {
  expect(() => formatCassette({ trace, format: 'v3', extras })).toThrow(ConfigError)
})

test.each<[string, unknown]>([
  ['extras is not of its kind', {}],
  ['an object is missing', [7]],
  ['step is no index', [{ durationMs: 1 }]],
  ['step is no later model_output', [{ step: 0 }]],
  ['step is no later model_output', [{ step: 1 }, { step: 1 }]],
  ['there is a member that the format does not know', [{ step: 1, cost: 1 }]],
  ['there is a member that the format does not know', [{ step: 1, tokens: { total: 1 } }]],
  ['input is not of its kind', [{ step: 1, tokens: { input: -1 } }]],
  ['durationMs is not of its kind', [{ step: 1, durationMs: '1' }]],
  ['servedModel is not of its kind', [{ step: 1, servedModel: 1 }]],
  ['chunks is not of its kind', [{ step: 1, chunks: [1] }]],
  ['chunks is not written as lengths and repeats', [{ step: 1, chunks: '1,' }]],
  ['the file expands beyond the limit', [{ step: 1, chunks: '1x999999999999' }]],
  ['an opaque value lacks its part, kind or value', [{ step: 1, opaque: [{ part: 0, kind: 'x' }] }]],
])('%s', (reason, extras) => {
  const text = JSON.stringify(sealed({ ...JSON.parse(v3Sample), extras }))
  expect(() => parseCassette(text)).toThrow(CassetteCorruptError)
  expect(() => parseCassette(text)).toThrow(`the cassette is broken: ${reason}\n  line 1, column`)
})

test('chunk lengths survive, and runs are written once', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 1, 5, 12345)), (lengths) => {
      const text = formatChunks(lengths)
      expect(parseChunks(text, 1000, [])).toEqual(lengths)
      expect(text).not.toMatch(/\b(\d+)(x\d+)?,\1\b(?!x?\d)/)
    }),
  )
  expect(formatChunks([5, 3, ...Array(12).fill(7)])).toBe('5,3,7x12')
})
