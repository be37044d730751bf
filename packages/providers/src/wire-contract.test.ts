import type { JsonObject, ReplyPart, Stop } from '@retake/trace'
import { UnsupportedError } from '@retake/trace'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { wires } from './routes.ts'
import { refusals } from './unsupported.ts'
import type { Reply, ReplyExtras, Turn, Wire, WireAnswer, WireError, WriteContext } from './wire.ts'
import { type WireSample, wireSamples } from './wire-samples.ts'

/** What every wire does, whatever its bodies look like. */

const toBytes = (piece: string | Uint8Array): Buffer => Buffer.from(piece as Uint8Array)

const joined = (pieces: readonly (string | Uint8Array)[]): Buffer => Buffer.concat(pieces.map(toBytes))

const bodyOf = ({ body }: WireAnswer): string => joined([body].flat()).toString()

const readStream = (wire: Wire, pieces: Iterable<string | Uint8Array>) => {
  const reader = wire.openStream()
  for (const piece of pieces) reader.push(toBytes(piece))
  return reader.finish()
}

const readBack = (wire: Wire, answer: WireAnswer) =>
  typeof answer.body === 'string' ? { reply: wire.readReply(JSON.parse(answer.body)) } : readStream(wire, answer.body)

const text = (words: string): ReplyPart => ({ type: 'text', text: words })
const call = (id: string, toolInput: object, inputText?: string): ReplyPart => ({
  type: 'tool_use',
  toolCallId: id,
  toolName: 'lookup',
  toolInput: toolInput as JsonObject,
  ...(inputText !== undefined && { inputText }),
})
const reasoning: ReplyPart = { type: 'reasoning', text: 'The order is late.' }
const turn = (stop: Stop, ...parts: ReplyPart[]): Turn => ({ parts, stop })

const turns: [string, Turn][] = [
  ['text', turn('end', text('Late, 20 €.'))],
  ['text with characters outside the basic plane', turn('end', text('日本 😀\n\n"\\\u2028 \u0000 data: x'))],
  ['one call', turn('tools', call('id_1', { id: 'A-77' }))],
  [
    'two calls in parallel',
    turn('tools', call('id_1', { id: 'A-77' }), call('id_2', { id: 'B-1', deep: [1, { a: null }] })),
  ],
  ['text before calls', turn('tools', text('Let me look.'), call('id_1', {}))],
  ['thinking, text and a call', turn('tools', reasoning, text('Let me look.'), call('id_1', { id: 'A-77' }))],
  ['calls with an ordinary end', turn('end', call('id_1', { id: 'A-77' }))],
  ['text cut at the limit', turn('length', text('The order'))],
  ['nothing at all', turn('end')],
  ['a word of a vendor', { ...turn('end', text('Hm.')), stopDetail: 'bored' }],
  ['no reason', { ...turn('end', text('Hm.')), stopDetail: 'none' }],
  ['a refusal', turn('refusal', { type: 'refusal', text: 'I cannot help with that.' })],
  ['text beside a refusal', turn('refusal', text('Well.'), { type: 'refusal', text: 'No.' })],
]

const streamedTurns: [string, Turn][] = [
  ['arguments with white space', turn('tools', call('id_1', { id: 'A-77' }, '{"id": "A-77"}\n'))],
  [
    'arguments cut at the limit',
    { stop: 'length', parts: [{ ...call('id_1', {}, '{"id": "A'), toolInput: '{"id": "A' } as ReplyPart] },
  ],
  [
    'arguments with an integer that does not fit',
    turn('tools', call('id_1', { n: 2 ** 53 }, '{"n":9007199254740993}')),
  ],
  ['a call without any argument text', turn('tools', call('id_1', {}, ''))],
  ['text after a call', turn('tools', call('id_1', { id: 'A-77' }), text('Asked.'))],
  ['thinking between texts', turn('end', text('One.'), reasoning, text('Two.'))],
]

/** Server-sent events in other dresses. */
const sseDresses = (stream: string): [string, string][] => {
  const dressed = stream
    .replaceAll(/^data: (\{.*\})$/gm, (_, json) =>
      JSON.stringify(JSON.parse(json), null, 1)
        .split('\n')
        .map((line) => `data: ${line}`)
        .join('\n'),
    )
    .replaceAll('\n\n', '\n: a comment\n\n')
  return [
    ['with a byte order mark', `\uFEFF${stream}`],
    ['with CR LF', stream.replaceAll('\n', '\r\n')],
    ['with CR', stream.replaceAll('\n', '\r')],
    ['with comments, several lines and CR LF', dressed.replaceAll('\n', '\r\n')],
  ]
}

describe.each(wires.map((wire) => [wire.name, wire] as const))('%s', (name, wire) => {
  const sample = wireSamples[name] as WireSample
  const told = ([title]: [string, Turn]) => !sample.untold.includes(title)
  const context = (stream: boolean, extras?: ReplyExtras): WriteContext => ({
    request: sample.request(stream),
    replyId: 'run1-2',
    timestamp: 1_764_460_800_123,
    ...(extras && { extras }),
  })

  describe.each([
    ['JSON', false],
    ['a stream', true],
  ])('as %s', (_, stream) => {
    test.each((stream ? [...turns, ...streamedTurns] : turns).filter(told))(
      '%s is read as it was written',
      (_, given) => {
        const read = readBack(wire, wire.writeReply(given, context(stream)))
        expect(read).toMatchObject({ reply: { turn: given } })
        expect('reply' in read && read.reply.turn).toEqual(given)
      },
    )

    test('counts and the served model come from the extras, and are zero and the asked model without them', () => {
      const all = { input: 312, output: 18, cacheRead: 100, reasoning: 7 } as const
      const tokens = Object.fromEntries(
        Object.entries(all).filter(([name]) => !sample.uncounted?.includes(name as keyof typeof all)),
      )
      const extras = { tokens, ...(sample.tellsModel !== false && { servedModel: 'model-a-2026' }) }
      const known = readBack(wire, wire.writeReply(turn('end', text('Hi')), context(stream, extras)))
      expect(known).toMatchObject({ reply: { extras } })
      const unknown = readBack(wire, wire.writeReply(turn('end', text('Hi')), context(stream)))
      const { servedModel, tokens: counted = {} } = 'reply' in unknown ? unknown.reply.extras : {}
      expect(servedModel).toBe(sample.tellsModel === false ? undefined : 'model-a')
      expect(Object.values(counted).filter((count) => count !== 0)).toEqual([])
    })

    test('any text and arguments survive', () => {
      const json = fc.dictionary(fc.string(), fc.jsonValue({ stringUnit: 'binary' }))
      fc.assert(
        fc.property(fc.string({ minLength: 1, unit: 'binary' }), json, (words, input) => {
          const given = turn('tools', text(words), call('id_1', JSON.parse(JSON.stringify(input))))
          const read = readBack(wire, wire.writeReply(given, context(stream)))
          expect('reply' in read && read.reply.turn).toEqual(given)
        }),
      )
    })

    test('an error of the provider is read as it was written', () => {
      const error: WireError = { status: 200, kind: 'overloaded', message: 'Busy', type: 'overloaded_error' }
      const answer = wire.writeError(error, context(stream))
      expect(answer.status).toBe(200)
      if (!stream) {
        expect(bodyOf(answer)).toContain('"Busy"')
        return
      }
      const { error: read } = readStream(wire, answer.body) as { error: WireError }
      expect(read).toMatchObject({ status: 200, message: 'Busy', type: 'overloaded_error' })
    })
  })

  describe('a stream', () => {
    const given = turn('tools', reasoning, text('日本 😀'), call('id_1', { id: 'A-77' }), call('id_2', {}))
    const events = [wire.writeReply(given, context(true)).body].flat()
    const isText = events.every((event) => typeof event === 'string')
    const plain = joined(events)

    const dresses = isText ? (sample.dresses ?? sseDresses)(plain.toString()) : []
    // streams-in-pieces.test.ts cuts between any two bytes.
    test.each(dresses)('%s reads the same, whole and byte by byte', (_, body) => {
      const bytes = toBytes(body)
      const { reply } = readStream(wire, [bytes]) as { reply: Reply }
      expect(reply.turn).toEqual(given)
      expect(
        readStream(
          wire,
          Array.from(bytes, (byte) => Uint8Array.of(byte)),
        ),
      ).toEqual({ reply })
    })

    test('is terminated by its last event, and not before', () => {
      const reader = wire.openStream()
      const seen = events.map((event) => {
        reader.push(toBytes(event))
        return reader.terminated
      })
      expect(seen).toEqual([...events.slice(1).map(() => false), sample.hasTerminator !== false])
    })

    test.runIf(isText)('does not need the blank line behind its last event', () => {
      const read = readStream(wire, [plain.toString().trimEnd()])
      expect('reply' in read && read.reply.turn).toEqual(given)
    })

    test('that stops early is cut, and keeps what had come', () => {
      for (let end = 1; end < events.length - 2; end++) {
        const { error } = readStream(wire, events.slice(0, end)) as { error: WireError }
        expect(error).toMatchObject({ status: 200, kind: 'cut' })
        expect(given.parts.map(({ type }) => type).slice(0, error.parts?.length ?? 0)).toEqual(
          (error.parts ?? []).map(({ type }) => type),
        )
        expect(error.afterParts ?? 0).toBeLessThanOrEqual(error.parts?.length ?? 0)
        const again = wire.writeError(error, context(true))
        expect(again.end).toBe('early')
        if (error.parts) expect(readStream(wire, again.body)).toEqual({ error })
        else expect(again.body).toEqual([])
      }
    })

    test('that is cut within an event keeps the events before it', () => {
      const whole = events.slice(0, -3)
      const { error } = readStream(wire, [...whole, joined(events.slice(-3)).subarray(0, 20)]) as { error: WireError }
      expect(error).toEqual((readStream(wire, whole) as { error: WireError }).error)
    })

    test('comes in the recorded delta sizes, and in one delta a part where they do not fit', () => {
      const deltas = (chunks: number[]) => {
        const read = readBack(wire, wire.writeReply(turn('end', text('abcdef')), context(true, { chunks })))
        return 'reply' in read && read.reply.extras.chunks
      }
      expect(deltas([1, 2, 3])).toEqual([1, 2, 3])
      expect(deltas([1, 2, 4])).toEqual([6])
      expect(deltas([])).toEqual([6])
    })

    test.each([
      ['', 'empty captured body'],
      ['\n\n', 'empty captured body'],
      ['<html>Bad gateway</html>', 'unreadable reply'],
      ['{"object":"list"}', 'unreadable reply'],
      ['data: nonsense\n\n', 'unreadable reply'],
    ])('of %j is refused: %s', (body, name) => {
      expect(() => readStream(wire, [body])).toThrow(
        expect.objectContaining({ details: expect.objectContaining({ name }) }),
      )
    })
  })

  describe('an HTTP error', () => {
    const statuses = [400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529]

    test.each(statuses)('of status %i comes back with its words', (status) => {
      const words = { message: 'Sorry: “no”', type: 'some_error', code: 'some_code' }
      const first = wire.writeError({ status, kind: 'x', ...words }, context(false))
      expect(first).toMatchObject({ status, headers: { 'content-type': 'application/json' } })
      const { retryAfterMs: _, ...read } = wire.readError(status, first.headers, bodyOf(first))
      expect(read).toMatchObject({ status, ...words })
      expect(wire.writeError(read, context(true))).toEqual(first)
    })

    test.each([
      ['<html><h1>502 Bad Gateway</h1></html>', 'text/html; charset=utf-8'],
      ['upstream connect error', 'text/plain; charset=utf-8'],
      ['{"error":{"message":"No","code":401,"metadata":{"provider":"x"}}}', 'application/json'],
      ['{"detail":"Invalid API Key"}', 'application/json'],
      ['{"detail":[{"loc":["body"]}]}', 'application/json'],
      ['{"error":"unauthorized"}', 'application/json'],
      ['[]', 'application/json'],
      ['', 'application/json'],
    ])('with the body %j comes back with that body', (body, type) => {
      const error = wire.readError(502, {}, body)
      expect(body === '' || error.message !== '').toBe(true)
      const answer = wire.writeError(error, context(false))
      expect(answer).toMatchObject({ status: 502, body, headers: { 'content-type': type } })
    })

    test.each<[object, object]>([
      [{ 'retry-after': '7' }, { retryAfterMs: 7000 }],
      [{ 'retry-after': '0.5' }, { retryAfterMs: 500 }],
      [{ 'retry-after-ms': '1500.5', 'retry-after': '2' }, { retryAfterMs: 1500.5 }],
      [
        { 'retry-after': 'Sun, 30 Nov 2025 00:00:09 GMT', date: 'Sun, 30 Nov 2025 00:00:02 GMT' },
        { retryAfterMs: 7000 },
      ],
      [{ 'retry-after': 'Sun, 30 Nov 2025 00:00:09 GMT' }, {}],
      [{ 'retry-after': 'soon' }, {}],
      [{ 'x-should-retry': 'false' }, { noRetry: true }],
      [{ 'x-should-retry': 'true' }, {}],
    ])('reads %j', (headers, expected) => {
      const { retryAfterMs, noRetry } = wire.readError(429, headers as Record<string, string>, '')
      expect(JSON.parse(JSON.stringify({ retryAfterMs, noRetry }))).toEqual(expected)
    })

    test('is tried again at once where its SDK tries again, and not where it said so', () => {
      const headers = (error: Partial<WireError>) => {
        const given = { status: 429, kind: 'rate_limit', message: 'Slow down', retryAfterMs: 7000, ...error }
        const { 'content-type': _, ...rest } = wire.writeError(given, context(false)).headers
        return rest
      }
      expect(headers({})).toEqual({ 'retry-after-ms': '1', 'retry-after': '0.001' })
      expect(headers({ retryAfterMs: 90_000 })).toEqual({ 'retry-after-ms': '1', 'retry-after': '90' })
      expect(headers({ noRetry: true })).toMatchObject({ 'x-should-retry': 'false' })
      expect(headers({ status: 400 })).toEqual({})
      expect(wire.writeError({ status: 500, kind: 'server', message: 'Oops' }, context(false)).headers).toEqual({
        'content-type': 'application/json',
        'retry-after-ms': '1',
      })
      const told = wire.readError(400, { 'x-should-retry': 'true' }, '')
      expect(headers({ ...told, retryAfterIn: 'ms' })).toEqual({ 'x-should-retry': 'true', 'retry-after-ms': '1' })
    })
  })

  test.each([
    ['aborted', 'silent'],
    ['network', 'cut'],
    ['cut', 'early'],
  ] as const)('an attempt that was %s ends %s', (kind, end) => {
    const error = { status: 200, kind, message: 'gone', parts: [text('The ord')], afterParts: 0 }
    const answer = wire.writeError(error, context(true))
    expect(answer.end).toBe(end)
    expect(readStream(wire, answer.body)).toMatchObject({
      error: { kind: 'cut', parts: [text('The ord')], afterParts: 0 },
    })
    expect(wire.writeError({ status: 0, kind, message: 'gone' }, context(false))).toMatchObject({ body: '', end })
  })

  test.each([null, '', [], {}, { choices: [] }, { content: 'x' }, { error: { message: 'no' } }])(
    'the JSON reply %j is refused',
    (body) => {
      expect(() => wire.readReply(body)).toThrow(UnsupportedError)
    },
  )

  test('a key is in a header, and neither an empty nor a missing one is a key', () => {
    const hasKey = (headers: Record<string, string>) =>
      wire.hasKey({ url: `https://${sample.host ?? 'api.example.com'}/`, headers, body: {} })
    expect(hasKey({ authorization: 'Bearer sk-1' })).toBe(true)
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Bearer undefined', 'Bearer null'])
      expect(hasKey({ authorization })).toBe(false)
    expect(hasKey({})).toBe(false)
  })

  test('an unknown field is kept verbatim and one that changes nothing is dropped', () => {
    const read = (members: JsonObject) => wire.readRequest(sample.request(false, members))
    const plain = read({})
    for (const [member, value] of Object.entries(sample.ignored)) expect(read({ [member]: value })).toEqual(plain)
    expect(read({ novelty: { a: [1] }, nothing: null }).params).toEqual({
      ...plain.params,
      other: { novelty: { a: [1] } },
    })
  })

  test('a malformed message is kept and compared, for the provider to answer', () => {
    const { params } = wire.readRequest(sample.request(false, sample.malformed.members))
    expect(params?.other).toEqual(sample.malformed.kept)
  })
})

test('every refusal says what to do instead', () => {
  for (const advice of Object.values(refusals)) expect(advice).toMatch(/^[a-z].{20,}$/)
})
