import type { JsonObject, JsonValue } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import type { ReplyExtras, Turn, WireError } from '../wire.ts'
import { anthropicMessages } from './wire.ts'

const utf8 = new TextEncoder()

const text = { type: 'text', text: 'Hi' }

const message = (content: JsonValue[], rest: JsonObject = {}): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-1',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
  ...rest,
})

const readStream = (...events: JsonObject[]) => {
  const reader = anthropicMessages.openStream()
  for (const event of events) reader.push(utf8.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`))
  return reader.finish()
}

const start = { type: 'message_start', message: message([], { stop_reason: null }) }
const blockStart = (index: number, content_block: JsonObject) => ({ type: 'content_block_start', index, content_block })
const delta = (index: number, given: JsonObject) => ({ type: 'content_block_delta', index, delta: given })
const blockStop = (index: number) => ({ type: 'content_block_stop', index })
const end = (given: JsonObject, usage: JsonObject = { output_tokens: 2 }) => ({
  type: 'message_delta',
  delta: given,
  usage,
})
const stop = { type: 'message_stop' }

const request = (stream: boolean) => ({
  url: 'https://x.test/v1/messages',
  headers: {},
  body: { model: 'claude', stream },
})
const write = (turn: Turn, extras?: ReplyExtras) => {
  const context = { request: request(false), replyId: 'r', timestamp: 0, ...(extras && { extras }) }
  return JSON.parse(String(anthropicMessages.writeReply(turn, context).body))
}

const refused = (name: string) => expect.objectContaining({ details: expect.objectContaining({ name }) })
const hosted = 'hosted/server tools and their blocks'
const sources = 'citations, annotations, search results, grounding'

describe('what a replay cannot give back is refused', () => {
  const blocks: [string, JsonObject][] = [
    [hosted, { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} }],
    [hosted, { type: 'web_search_tool_result', tool_use_id: 'x', content: [] }],
    [hosted, { type: 'mcp_tool_use', id: 'x', name: 'y', input: {} }],
    [hosted, { type: 'fallback', from: {}, to: {} }],
    [hosted, { type: 'tool_use', id: 'x', name: 'y', input: {}, caller: { type: 'code_execution_20250825' } }],
    [sources, { ...text, citations: [{ cited_text: 'x' }] }],
    ['compaction', { type: 'compaction', content: 'x' }],
    ['unreadable reply', { type: 'hologram' }],
  ]
  test.each(blocks)('%s: %j', (name, block) => {
    expect(() => anthropicMessages.readReply(message([text, block]))).toThrow(refused(name))
    expect(() => readStream(start, blockStart(0, block), blockStop(0), end({ stop_reason: 'end_turn' }), stop)).toThrow(
      refused(name),
    )
  })

  test('a container, a source in a delta, a second message', () => {
    expect(() => anthropicMessages.readReply(message([text], { container: { id: 'x' } }))).toThrow(refused(hosted))
    const citation = delta(0, { type: 'citations_delta', citation: { cited_text: 'x' } })
    expect(() => readStream(start, blockStart(0, { type: 'text', text: '' }), citation, stop)).toThrow(refused(sources))
    expect(() => readStream(start, start, stop)).toThrow(refused('unreadable reply'))
  })

  test('and what is empty is nothing', () => {
    const bare = anthropicMessages.readReply(message([text]))
    const nothing = { container: null, stop_details: null, context_management: { applied_edits: [] } }
    expect(anthropicMessages.readReply(message([{ ...text, citations: null }], nothing))).toEqual(bare)
  })

  test('but an empty text is a block, which agents may look for', () => {
    const reply = anthropicMessages.readReply(message([{ type: 'text', text: '' }]))
    expect(reply.turn.parts).toEqual([{ type: 'text', text: '' }])
    const streamed = readStream(start, blockStart(0, { type: 'text', text: '' }), blockStop(0), end({}), stop)
    expect(streamed).toMatchObject({ reply: { turn: { parts: [{ type: 'text', text: '' }] } } })
  })
})

describe('reasons', () => {
  test.each([
    ['end_turn', { stop: 'end' }],
    ['tool_use', { stop: 'tools' }],
    ['max_tokens', { stop: 'length' }],
    ['pause_turn', { stop: 'pause' }],
    ['refusal', { stop: 'refusal' }],
    ['model_context_window_exceeded', { stop: 'context' }],
    ['bored', { stop: 'end', stopDetail: 'bored' }],
  ])('%s comes back', (word, expected) => {
    const { turn } = anthropicMessages.readReply(message([text], { stop_reason: word }))
    expect(turn).toEqual({ parts: [text], ...expected })
    expect(write(turn)).toMatchObject({ stop_reason: word, stop_sequence: null })
  })

  test('a stop sequence keeps its text', () => {
    const { turn } = anthropicMessages.readReply(
      message([text], { stop_reason: 'stop_sequence', stop_sequence: 'END' }),
    )
    expect(turn).toMatchObject({ stop: 'sequence', stopText: 'END' })
    expect(write(turn)).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: 'END' })
  })

  test('a refusal keeps its category and its explanation, and with the extras all of it', () => {
    const stop_details = {
      type: 'refusal',
      category: 'cyber',
      explanation: 'Restricted.',
      recommended_model: 'claude-2',
    }
    const { turn, extras } = anthropicMessages.readReply(message([], { stop_reason: 'refusal', stop_details }))
    expect(turn).toEqual({ parts: [{ type: 'refusal', text: 'Restricted.' }], stop: 'refusal', stopDetail: 'cyber' })
    const { recommended_model: _, ...neutral } = stop_details
    expect(write(turn)).toMatchObject({ content: [], stop_reason: 'refusal', stop_details: neutral })
    expect(write(turn, extras).stop_details).toEqual(stop_details)
  })
})

describe('thinking', () => {
  const blocks = [
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'b3BhcXVl' },
    { type: 'thinking', thinking: '', signature: 'aGlkZGVu' },
    text,
  ]

  test('keeps its place, and with the extras its signatures', () => {
    const { turn, extras } = anthropicMessages.readReply(message(blocks))
    expect(turn.parts.map(({ type }) => type)).toEqual(['reasoning', 'reasoning', 'reasoning', 'text'])
    expect(write(turn, extras).content).toEqual(blocks)
    expect(write(turn).content[0]).toEqual({ type: 'thinking', thinking: 'Hm.', signature: '' })
  })

  test('of a stream has its signature from a delta', () => {
    const read = readStream(
      start,
      blockStart(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
      delta(0, { type: 'thinking_delta', thinking: '.' }),
      delta(0, { type: 'signature_delta', signature: 'c2ln' }),
      blockStop(0),
      blockStart(1, { type: 'redacted_thinking', data: 'b3BhcXVl' }),
      blockStop(1),
      end({ stop_reason: 'end_turn' }),
      stop,
    )
    expect(read).toMatchObject({
      reply: {
        turn: {
          parts: [
            { type: 'reasoning', text: 'Hm.' },
            { type: 'reasoning', text: '' },
          ],
        },
        extras: {
          chunks: [2, 1],
          opaque: [
            { part: 0, kind: 'message.start_output_tokens', value: 2 },
            { part: 0, kind: 'signature', value: 'c2ln' },
            { part: 1, kind: 'redacted_thinking', value: 'b3BhcXVl' },
          ],
        },
      },
    })
  })
})

test('a call of a stream may come whole, or in pieces that are kept as they were', () => {
  const call = (id: string, input: JsonObject) => ({ type: 'tool_use', id, name: 'lookup', input })
  const piece = (index: number, partial_json: string) => delta(index, { type: 'input_json_delta', partial_json })
  const read = readStream(
    start,
    blockStart(0, call('toolu_1', { id: 'A' })),
    blockStop(0),
    blockStart(1, call('toolu_2', {})),
    piece(1, ''),
    piece(1, '{"id": '),
    piece(1, '"B"}'),
    blockStop(1),
    end({ stop_reason: 'tool_use' }),
    stop,
  )
  const named = { type: 'tool_use', toolName: 'lookup' }
  expect('reply' in read && read.reply.turn.parts).toEqual([
    { ...named, toolCallId: 'toolu_1', toolInput: { id: 'A' } },
    { ...named, toolCallId: 'toolu_2', toolInput: { id: 'B' }, inputText: '{"id": "B"}' },
  ])
})

test('counts of the end replace those of the start', () => {
  const usage = {
    input_tokens: 3,
    output_tokens: 9,
    cache_read_input_tokens: 1,
    output_tokens_details: { thinking_tokens: 4 },
  }
  const read = readStream(start, blockStart(0, text), blockStop(0), end({ stop_reason: 'end_turn' }, usage), stop)
  expect('reply' in read && read.reply.extras.tokens).toEqual({ input: 3, output: 9, cacheRead: 1, reasoning: 4 })
})

test('an error event ends the stream with what had come, and open blocks stay open', () => {
  const failed = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_1' }
  const { error } = readStream(
    start,
    blockStart(0, { type: 'text', text: '' }),
    delta(0, { type: 'text_delta', text: 'One.' }),
    blockStop(0),
    blockStart(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'Tw' }),
    failed,
  ) as { error: WireError }
  expect(error).toEqual({
    status: 200,
    kind: 'overloaded',
    type: 'overloaded_error',
    message: 'Overloaded',
    parts: [
      { type: 'text', text: 'One.' },
      { type: 'text', text: 'Tw' },
    ],
    afterParts: 1,
    chunks: [4, 2],
    servedModel: 'claude-1',
  })
  const { body } = anthropicMessages.writeError(error, { request: request(true), replyId: 'r', timestamp: 0 })
  expect((body as string[]).map((event) => /^event: (.*)$/m.exec(event)?.[1])).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'content_block_start',
    'content_block_delta',
    'error',
  ])
})

test('an error keeps its code, and a body with more is kept whole but for its request id', () => {
  const read = (error: object) =>
    anthropicMessages.readError(400, {}, JSON.stringify({ type: 'error', error, request_id: 'req_1' }))
  const plain = { type: 'invalid_request_error', message: 'No.', details: { error_code: 'thread_not_found' } }
  expect(read(plain)).toEqual({
    status: 400,
    kind: 'invalid_request',
    type: 'invalid_request_error',
    message: 'No.',
    code: 'thread_not_found',
  })
  const more = { ...plain, details: { error_code: 'x', unsupported: ['a'] } }
  expect(read(more).error).toEqual({ type: 'error', error: more, request_id: null })
})
