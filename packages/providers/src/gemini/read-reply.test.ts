import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import type { Reply, ReplyExtras, Turn, WireError } from '../wire.ts'
import { geminiGenerateContent as wire } from './wire.ts'

const utf8 = new TextEncoder()

const response = (parts: JsonValue[], candidate: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0, ...candidate }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  modelVersion: 'gemini-1',
  ...rest,
})
const piece = (...parts: JsonValue[]): JsonObject => response(parts, { finishReason: null })
const call = (name: string, args: JsonObject = {}): JsonObject => ({ functionCall: { name, args } })

const readAll = (...texts: string[]) => {
  const reader = wire.openStream()
  for (const text of texts) reader.push(utf8.encode(text))
  return reader.finish()
}
const readEvents = (...responses: JsonObject[]) =>
  readAll(...responses.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`)) as { reply: Reply; error: WireError }

const write = (turn: Turn, verb: string, extras?: ReplyExtras) => {
  const request = { url: `https://x.test/v1beta/models/m:${verb}`, headers: {}, body: {} }
  return wire.writeReply(turn, { request, replyId: 'r', timestamp: 0, ...(extras && { extras }) })
}
const again = ({ turn, extras }: Reply, verb = 'generateContent') =>
  JSON.parse([write(turn, verb, extras).body].flat().join(''))

const corpus = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../../test/corpus/traffic', `${name}.json`), 'utf8'))
    .response

const refused = (name: string, field?: string) =>
  expect.objectContaining({ details: expect.objectContaining({ name, ...(field && { field }) }) })
const hosted = 'hosted/server tools and their blocks'
const sources = 'citations, annotations, search results, grounding'

describe('what a replay cannot give back is refused', () => {
  const replies: [string, string, JsonObject][] = [
    [hosted, 'candidates[0].content.parts[0].executableCode', response([{ executableCode: { code: 'x' } }])],
    [hosted, 'candidates[0].content.parts[0].toolCall', response([{ toolCall: { id: '1' } }])],
    ['audio or image output', 'candidates[0].content.parts[0].inlineData', response([{ inlineData: { data: 'AA' } }])],
    ['unreadable reply', 'candidates[0].content.parts[0]', response([{ hologram: {} }])],
    ['continuation tokens', 'candidates[0].finishReason', response([], { finishReason: 'CONTINUATION' })],
    [sources, 'candidates[0].groundingMetadata', response([], { groundingMetadata: { webSearchQueries: ['x'] } })],
    [sources, 'candidates[0].citationMetadata', response([], { citationMetadata: { citations: [{ uri: 'x' }] } })],
    [
      'logprobs in the reply',
      'candidates[0].logprobsResult',
      response([], { logprobsResult: { chosenCandidates: [1] } }),
    ],
    ['n > 1', 'candidates[1]', { candidates: [{ index: 0 }, { index: 1 }] }],
  ]

  test.each(replies)('%s: %s, as JSON and in a stream', (name, field, body) => {
    expect(() => wire.readReply(body)).toThrow(refused(name, field))
    expect(() => readEvents(body)).toThrow(refused(name, field))
  })

  test('grounding that found nothing is nothing', () => {
    expect(wire.readReply(response([{ text: 'Hi' }], { groundingMetadata: {} })).turn.stop).toBe('end')
  })
})

test.each<[string, Partial<Turn>]>([
  ['STOP', { stop: 'end' }],
  ['MAX_TOKENS', { stop: 'length' }],
  ['SAFETY', { stop: 'filter' }],
  ['PROHIBITED_CONTENT', { stop: 'refusal' }],
  ['RECITATION', { stop: 'filter', stopDetail: 'recitation' }],
  ['MALFORMED_FUNCTION_CALL', { stop: 'end', stopDetail: 'malformed_function_call' }],
  ['NEW_REASON', { stop: 'end', stopDetail: 'new_reason' }],
])('the reason %s is %j, and goes back', (finishReason, stop) => {
  const reply = wire.readReply(response([{ text: 'Hi' }], { finishReason }))
  expect(reply.turn).toEqual({ parts: [{ type: 'text', text: 'Hi' }], ...stop })
  expect(again(reply).candidates[0].finishReason).toBe(finishReason)
})

test('STOP beside calls means that the tools are to run', () => {
  expect(wire.readReply(response([call('f')])).turn).toEqual({
    parts: [{ type: 'tool_use', toolCallId: '', toolName: 'f', toolInput: {} }],
    stop: 'tools',
  })
})

test('the message of a filter is the explanation, and that of an ordinary end goes back as it came', () => {
  const filtered = wire.readReply(response([], { finishReason: 'SAFETY', finishMessage: 'Not this.' }))
  expect(filtered.turn).toEqual({ parts: [{ type: 'refusal', text: 'Not this.' }], stop: 'filter' })
  expect(again(filtered).candidates[0]).toMatchObject({ finishReason: 'SAFETY', finishMessage: 'Not this.' })
  const { candidates } = corpus('gemini-finish-message').body
  const ordinary = wire.readReply(corpus('gemini-finish-message').body)
  expect(ordinary.turn.parts.map(({ type }) => type)).not.toContain('refusal')
  expect(again(ordinary).candidates[0].finishMessage).toBe(candidates[0].finishMessage)
})

test('a blocked prompt has no candidate, as JSON and in a stream', () => {
  const { body } = corpus('vertex-prompt-blocked')
  const reply = wire.readReply(body)
  expect(reply.turn).toEqual({
    parts: [{ type: 'refusal', text: body.promptFeedback.blockReasonMessage }],
    stop: 'filter',
    stopDetail: 'prompt model_armor',
  })
  const written = again(reply)
  expect(written).toMatchObject({ promptFeedback: body.promptFeedback, modelVersion: body.modelVersion })
  expect(written).not.toHaveProperty('candidates')
  expect(readAll(...(write(reply.turn, 'streamGenerateContent?alt=sse').body as string[]))).toMatchObject({
    reply: { turn: reply.turn },
  })
})

test('safety ratings come back with a reply that was stopped for them', () => {
  const { body } = corpus('gemini-safety')
  const reply = wire.readReply(body)
  expect(reply.turn).toEqual({ parts: [], stop: 'filter' })
  expect(again(reply).candidates[0].safetyRatings).toEqual(body.candidates[0].safetyRatings)
})

test('a reason that is a number goes back as one where numbers are asked for', () => {
  const reply = wire.readReply(corpus('vertex-enum-numbers').body)
  expect(reply.turn.stop).toBe('end')
  expect(again(reply, 'generateContent?$alt=json;enum-encoding=int').candidates[0].finishReason).toBe(1)
  expect(again(reply).candidates[0].finishReason).toBe('STOP')
  const other = wire.readReply(response([], { finishReason: 9 }))
  expect(other.turn).toMatchObject({ stop: 'end', stopDetail: '9' })
  expect(again(other).candidates[0].finishReason).toBe(9)
})

test('counts of thoughts are part of the output, and go back beside it', () => {
  const usageMetadata = {
    promptTokenCount: 10,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 2,
    thoughtsTokenCount: 7,
    totalTokenCount: 19,
  }
  const reply = wire.readReply(response([{ text: 'Hi' }], {}, { usageMetadata }))
  expect(reply.extras.tokens).toEqual({ input: 10, output: 9, cacheRead: 4, reasoning: 7 })
  expect(again(reply).usageMetadata).toEqual(usageMetadata)
  const onlyThoughts = { promptTokenCount: 10, thoughtsTokenCount: 7, totalTokenCount: 17 }
  expect(again(wire.readReply(response([], {}, { usageMetadata: onlyThoughts }))).usageMetadata).toEqual(onlyThoughts)
})

test('signatures go back with the part they came with, also those of empty texts', () => {
  const parts = [
    { text: 'Hm.', thought: true },
    { text: 'Let me look.', thoughtSignature: 'c2lnMQ==' },
    { ...call('f', { a: 1 }), thoughtSignature: 'c2lnMg==' },
    { text: '', thoughtSignature: 'c2lnMw==' },
  ]
  const reply = wire.readReply(response(parts))
  expect(reply.turn.parts.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool_use'])
  const withId: object[] = [...parts]
  withId[2] = { functionCall: { id: '', name: 'f', args: { a: 1 } }, thoughtSignature: 'c2lnMg==' }
  expect(again(reply).candidates[0].content.parts).toEqual(withId)
  const streamed = readEvents(...parts.map((part) => piece(part)), response([{ text: '' }]))
  expect(streamed.reply.turn).toEqual(reply.turn)
  expect(streamed.reply.extras.opaque).toEqual(reply.extras.opaque)
})

describe('a stream', () => {
  test('that ends with an empty text is one text in the sizes in which it came', () => {
    const { reply } = readEvents(piece({ text: 'The or' }), piece({ text: 'der' }), response([{ text: '' }]))
    expect(reply.turn).toEqual({ parts: [{ type: 'text', text: 'The order' }], stop: 'end' })
    expect(reply.extras.chunks).toEqual([6, 3])
    const events = write(reply.turn, 'streamGenerateContent?alt=sse', reply.extras).body as string[]
    expect(events.map((event) => JSON.parse(event.slice(6)).candidates[0])).toEqual([
      { content: { parts: [{ text: 'The or' }], role: 'model' }, index: 0 },
      { content: { parts: [{ text: 'der' }], role: 'model' }, finishReason: 'STOP', index: 0 },
    ])
  })

  test('of an older model has a reason in each response', () => {
    const { reply } = readEvents(response([{ text: 'The or' }]), response([{ text: 'der' }]))
    expect(reply.turn).toEqual({ parts: [{ type: 'text', text: 'The order' }], stop: 'end' })
  })

  test('of calls with ids and a signature is read from the recorded bytes', () => {
    const { reply } = readAll(corpus('gemini-stream-signature').body) as { reply: Reply }
    expect(reply.turn).toMatchObject({
      parts: [
        { toolCallId: 'dv8szvqe', toolName: 'get_weather', toolInput: { location: 'Boston' } },
        { toolCallId: 'j80tal12', toolName: 'get_weather', toolInput: { location: 'New Delhi' } },
      ],
      stop: 'tools',
    })
    expect(reply.extras.opaque?.map(({ part, kind }) => [part, kind])).toEqual([
      [0, 'thoughtSignature'],
      [0, 'usage.other'],
    ])
    expect(reply.extras.tokens).toEqual({ input: 71, output: 33 + 93, reasoning: 93 })
  })

  test('of a call whose arguments come in pieces has them whole', () => {
    const call = (functionCall: JsonObject, more: JsonObject = {}) => response([{ functionCall, ...more }])
    const piece = (jsonPath: string, value: JsonObject) => ({
      partialArgs: [{ jsonPath, ...value }],
      willContinue: true,
    })
    const { reply } = readEvents(
      call({ name: 'cook', willContinue: true }, { thoughtSignature: 'c2ln' }),
      call(piece('$.steps[0].text', { stringValue: 'Bo', willContinue: true })),
      call(piece('$.steps[0].text', { stringValue: 'il' })),
      call(piece('$.steps[1]', { numberValue: 0.5 })),
      call(piece("$['a b'].c", { boolValue: false })),
      call(piece('$.none', { nullValue: 'NULL_VALUE' })),
      call({}),
      call({ name: 'wait', willContinue: true }),
      call(piece('$.id', { stringValue: '1' })),
      // The end of the last one is missing.
    )
    expect(reply.turn).toEqual({
      stop: 'tools',
      parts: [
        {
          type: 'tool_use',
          toolCallId: '',
          toolName: 'cook',
          toolInput: { steps: [{ text: 'Boil' }, 0.5], 'a b': { c: false }, none: null },
        },
        { type: 'tool_use', toolCallId: '', toolName: 'wait', toolInput: { id: '1' } },
      ],
    })
    expect(reply.extras.opaque).toContainEqual({ part: 0, kind: 'thoughtSignature', value: 'c2ln' })
  })

  test('keeps what had come before an error', () => {
    const error = { error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }
    const read = readEvents(piece({ text: 'The or' }), error)
    expect(read.error).toEqual({
      status: 200,
      kind: 'unavailable',
      message: 'Busy',
      type: 'UNAVAILABLE',
      parts: [{ type: 'text', text: 'The or' }],
      afterParts: 0,
      chunks: [6],
      servedModel: 'gemini-1',
    })
    const request = { url: 'https://x.test/v1/models/m:streamGenerateContent?alt=sse', headers: {}, body: {} }
    const { body } = wire.writeError(read.error, { request, replyId: 'r', timestamp: 0 })
    expect(readAll(...(body as string[]))).toEqual({ error: read.error })
    expect(body.at(-1)).toBe(`data: ${JSON.stringify(error)}\n\n`)
  })
})

describe('a stream that is a JSON array', () => {
  const { body } = corpus('gemini-array-stream')
  const text = JSON.stringify(body, null, 2)

  test('reads the same from every cut between two bytes', () => {
    const bytes = new TextEncoder().encode(text.replaceAll('Hello', 'Hällo 😀 \\"]}'))
    const whole = JSON.stringify(readAll(new TextDecoder().decode(bytes)))
    expect(whole).toContain('Hällo 😀')
    for (const at of bytes.keys()) {
      const decoder = new TextDecoder()
      const first = decoder.decode(bytes.subarray(0, at), { stream: true })
      expect(JSON.stringify(readAll(first, decoder.decode(bytes.subarray(at))))).toBe(whole)
    }
  })

  test('is written piece by piece, and is valid JSON as a whole', () => {
    const { reply } = readAll(text) as { reply: Reply }
    const answer = write(reply.turn, 'streamGenerateContent', reply.extras)
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.body.length).toBeGreaterThan(2)
    expect(readAll(...(answer.body as string[]))).toEqual({ reply })
    expect(again(reply, 'streamGenerateContent').at(-1).candidates[0].content.parts).toEqual(
      body.at(-1).candidates[0].content.parts,
    )
  })

  test('that stops within an item is cut, and keeps the items before it', () => {
    const cut = text.slice(0, text.lastIndexOf('"finishReason"'))
    const { error } = readAll(cut) as { error: WireError }
    expect(error).toMatchObject({ status: 200, kind: 'cut', parts: [{ type: 'text' }], afterParts: 0 })
    const request = { url: 'https://x.test/v1/models/m:streamGenerateContent', headers: {}, body: {} }
    const answer = wire.writeError(error, { request, replyId: 'r', timestamp: 0 })
    expect(answer.end).toBe('early')
    expect(readAll(...(answer.body as string[]))).toEqual({ error })
  })

  test('of nothing is cut, and one of something else refused', () => {
    expect(readAll('[]')).toMatchObject({ error: { kind: 'cut' } })
    expect(() => readAll('[[1]]')).toThrow(refused('unreadable reply'))
  })
})

describe('an error', () => {
  test('tells in its details how long to wait', () => {
    const { status, body } = corpus('gemini-429')
    const error = wire.readError(status, {}, JSON.stringify(body))
    expect(error).toMatchObject({ kind: 'rate_limit', type: 'RESOURCE_EXHAUSTED', message: body.error.message })
    expect(error.retryAfterMs).toBeGreaterThan(40_000)
    expect(wire.readError(429, { 'retry-after': '7' }, JSON.stringify(body)).retryAfterMs).toBe(7000)
  })

  test('is told by its words where they are all', () => {
    const body = { error: { code: 404, message: 'models/x is not found', status: 'NOT_FOUND' } }
    expect(wire.readError(404, {}, JSON.stringify(body))).toEqual({
      status: 404,
      kind: 'not_found',
      type: 'NOT_FOUND',
      message: 'models/x is not found',
    })
  })

  test('comes in a list where the reply would have been one', () => {
    const body = [{ error: { code: 404, message: 'gone', status: 'NOT_FOUND' } }]
    const error = wire.readError(404, {}, JSON.stringify(body))
    expect(error.message).toBe('gone')
    const request = { url: 'https://x.test/v1/models/m:streamGenerateContent', headers: {}, body: {} }
    expect(JSON.parse(String(wire.writeError(error, { request, replyId: 'r', timestamp: 0 }).body))).toEqual(body)
  })
})
