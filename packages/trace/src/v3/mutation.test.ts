import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { corpus, corpusText } from '../../test/corpus.ts'
import { v3Sample } from '../../test/v3-sample.ts'
import { formatTrace } from '../format-cassette.ts'
import { parseTrace } from '../parse-cassette.ts'
import { verifyText } from '../verify/verify-file.ts'

/** RETAKE_PROPERTY_RUNS=10000 for the long form. */
const runs = Number(process.env.RETAKE_PROPERTY_RUNS ?? 240)

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The failing check; a file that is no UTF-8 never gets as far as the checks. */
function failure(bytes: Uint8Array) {
  try {
    return verifyText(decoder.decode(bytes)).checks.find(({ status }) => status === 'fail')
  } catch {
    return { name: 'UTF-8', where: undefined }
  }
}

const v3Of = (name: string) => formatTrace(parseTrace(corpusText(name)), { format: 'v3' })

/** The value of a text as JSON prints it; undefined for text that is none. */
function printed(bytes: Uint8Array): string | undefined {
  try {
    return JSON.stringify(JSON.parse(decoder.decode(bytes)))
  } catch {
    return undefined
  }
}

/** What is wrong with how verify takes one changed byte, if anything. */
function misjudged(original: Buffer, at: number, byte: number): string | undefined {
  const changed = Buffer.from(original)
  changed[at] = byte
  const before = printed(original)
  const after = printed(changed)
  const found = failure(changed)
  if (after === before) return found === undefined ? undefined : `byte ${at} changes nothing but fails ${found.name}`
  if (found === undefined) return `byte ${at} as ${byte} is not found`
  const step = payloadAt(original.toString('latin1'), at)
  const isEdit = after !== undefined && found.name === 'seal' && step !== undefined
  return isEdit && found.where !== `step ${step}` ? `byte ${at} of step ${step} is put at ${found.where}` : undefined
}

/** Index of the step whose payload line holds an offset. */
function payloadAt(text: string, at: number): number | undefined {
  const start = text.lastIndexOf('"payload":', at)
  const end = text.indexOf('"sum"', start)
  if (start === -1 || at < start + 11 || at >= end - 2) return undefined
  return text.slice(0, start).split('"payload":').length - 1
}

test.each([
  ['the example', v3Sample],
  ['success-final-answer', v3Of('success-final-answer.v2.json')],
  ['error-unknown-tool', v3Of('error-unknown-tool.v2.json')],
])(
  'every change of one byte of %s that changes its value is found',
  (_, text) => {
    const original = Buffer.from(text)
    expect(failure(original)).toBeUndefined()
    for (let at = 0; at < original.length; at++) {
      const byte = original[at] as number
      // A neighbour, another case, and characters with a meaning of their own.
      for (const other of new Set([byte ^ 1, byte ^ 0x20, 0x22, 0x30])) {
        if (other !== byte) expect(misjudged(original, at, other)).toBeUndefined()
      }
    }
  },
  120_000,
)

test('random changes of one byte are found in every public cassette', () => {
  for (const { name } of corpus) {
    const original = Buffer.from(v3Of(name))
    for (let run = 0; run < runs / corpus.length; run++) {
      const random = createHash('sha256').update(`${name} ${run}`).digest()
      expect(misjudged(original, random.readUInt32BE(0) % original.length, random[4] as number)).toBeUndefined()
    }
  }
}, 3_600_000)

test('formatters, CRLF and a missing final newline change nothing', () => {
  for (const text of [v3Sample, v3Of('triage-incident.json')]) {
    for (const other of [
      JSON.stringify(JSON.parse(text)),
      JSON.stringify(JSON.parse(text), null, 4),
      text.trimEnd(),
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('€', '\\u20ac').replaceAll('/', '\\/'),
    ]) {
      expect(failure(Buffer.from(other))).toBeUndefined()
    }
  }
})
