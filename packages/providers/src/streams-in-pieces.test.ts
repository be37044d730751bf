import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { wires } from './routes.ts'
import type { Turn, Wire, WireAnswer } from './wire.ts'
import { wireSamples } from './wire-samples.ts'

/** Streams come in chunks that end anywhere: within a character, a line end, a field. */

const corpus = join(import.meta.dirname, '../../../test/corpus/traffic')
const bodyOf = (file: string): string => JSON.parse(readFileSync(join(corpus, `${file}.json`), 'utf8')).response.body

const recorded: [wire: string, file: string][] = [
  ['openai.chat', 'openai-stream-call'],
  ['openai.chat', 'huggingface-stream-without-done'],
  ['openai.responses', 'responses/openai-stream-error'],
  ['anthropic.messages', 'anthropic-stream-thinking'],
  ['gemini.generate-content', 'gemini-stream-signature'],
]

/** Characters of two, three and four bytes behind every text. */
const withWideCharacters = (body: string): string =>
  body.replace(/"(content|text|thinking)":"([^"\\]+)"/g, '"$1":"$2é日😀"')

/** Every event on its own lines, its data as many. */
const inLines = (body: string): string =>
  body.replace(/^data: (\{.*\})$/gm, (_, data: string) =>
    JSON.stringify(JSON.parse(data), null, 1)
      .split('\n')
      .map((line) => `data:${line}`)
      .join('\n'),
  )

/** The same events as servers may write them (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
const spellings: Record<string, (body: string) => string> = {
  'line feeds': (body) => body,
  'carriage returns and line feeds': (body) => body.replaceAll('\n', '\r\n'),
  'carriage returns': (body) => body.replaceAll('\n', '\r'),
  'comments, ids and waits between events': (body) =>
    `\uFEFF: hello\n\n${body.replaceAll('\n\n', '\n: keep-alive\nid: 7\nretry: 10\n\n:\n\n')}`,
  'data of many lines': inLines,
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const read = (wire: Wire, pieces: Iterable<Uint8Array>) => {
  const reader = wire.openStream()
  for (const piece of pieces) reader.push(piece)
  return reader.finish()
}

const expectEveryCut = (wire: Wire, bytes: Uint8Array, whole: unknown): void => {
  const text = JSON.stringify(whole)
  for (let at = 0; at <= bytes.length; at++) {
    const cut = read(wire, [bytes.subarray(0, at), bytes.subarray(at)])
    if (JSON.stringify(cut) !== text) expect(cut, `cut at byte ${at}`).toEqual(whole)
  }
  const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
  expect(read(wire, single)).toEqual(whole)
}

describe.each(recorded)('%s: %s', (name, file) => {
  const wire = wires.find((one) => one.name === name) as Wire
  const body = withWideCharacters(bodyOf(file))
  const whole = read(wire, [bytesOf(body)])

  test.each(Object.entries(spellings))('with %s reads the same, cut at any byte', (_, spell) => {
    expectEveryCut(wire, bytesOf(spell(body)), whole)
  })
})

const told: Turn = {
  stop: 'tools',
  parts: [
    { type: 'reasoning', text: 'Spät? 日' },
    { type: 'text', text: 'Ja 😀\n\n"\\ data: x' },
    { type: 'tool_use', toolCallId: 'id_1', toolName: 'lookup', toolInput: { Straße: 'Ä-77' } },
  ],
}

const toBytes = ({ body }: WireAnswer): Uint8Array => {
  const pieces = (Array.isArray(body) ? body : [body]).map((piece) =>
    typeof piece === 'string' ? bytesOf(piece) : piece,
  )
  return Buffer.concat(pieces)
}

test.each(wires.map((wire) => [wire.name, wire] as const))('%s reads what it wrote, cut at any byte', (name, wire) => {
  const request = wireSamples[name]?.request(true)
  if (!request) throw new Error(`wire-samples.ts does not know ${name}`)
  const bytes = toBytes(wire.writeReply(told, { request, replyId: 'run1-2', timestamp: 0 }))
  const whole = read(wire, [bytes])
  expect(whole).toMatchObject({ reply: { turn: told } })
  expectEveryCut(wire, bytes, whole)
})
