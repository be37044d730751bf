import fc from 'fast-check'
import { expect, test } from 'vitest'
import { corpus } from '../../test/corpus.ts'
import { traceArbitrary } from '../../test/trace-arbitrary.ts'
import { formatCassette, formatTrace } from '../format-cassette.ts'
import { parseCassette, parseTrace } from '../parse-cassette.ts'

/** RETAKE_PROPERTY_RUNS=10000 for the long form. */
const numRuns = Number(process.env.RETAKE_PROPERTY_RUNS ?? 200)

test.each(corpus)('$name goes to v3 and back byte for byte', ({ text }) => {
  const v3 = formatTrace(parseTrace(text), { format: 'v3' })
  const cassette = parseCassette(v3)
  expect(formatTrace(cassette.trace)).toBe(text)
  expect(formatCassette(cassette)).toBe(v3)
})

test('any trace goes to v3 and back byte for byte, and has one v3 text', () => {
  fc.assert(
    fc.property(traceArbitrary, (trace) => {
      const v2 = formatTrace(trace)
      const v3 = formatTrace(parseTrace(v2), { format: 'v3' })
      const back = parseCassette(v3)
      expect(formatTrace(back.trace)).toBe(v2)
      expect(formatCassette(back)).toBe(v3)
      expect(formatTrace(trace, { format: 'v3' })).toBe(v3)
    }),
    { numRuns },
  )
}, 3_600_000)

test('any layout of a v3 text is read as the same cassette', () => {
  fc.assert(
    fc.property(traceArbitrary, fc.constantFrom(0, 1, 4, '\t'), (trace, indent) => {
      const v3 = formatTrace(trace, { format: 'v3' })
      const laidOut = JSON.stringify(JSON.parse(v3), null, indent)
      expect(formatCassette(parseCassette(laidOut))).toBe(v3)
      expect(formatCassette(parseCassette(v3.replaceAll('\n', '\r\n').trimEnd()))).toBe(v3)
    }),
    { numRuns: Math.ceil(numRuns / 4) },
  )
}, 3_600_000)
