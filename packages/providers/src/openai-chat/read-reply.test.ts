import type { JsonObject, JsonValue } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { openaiChat } from './wire.ts'

const utf8 = new TextEncoder()

const completion = (message: JsonObject, rest: JsonObject = {}, choice: JsonObject = {}): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-5-2025',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi', ...message }, finish_reason: 'stop', ...choice }],
  ...rest,
})

const chunk = (delta: JsonObject, choice: JsonObject = {}, rest: JsonObject = {}): JsonObject => ({
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  ...rest,
})

const readStream = (...chunks: JsonValue[]) => {
  const reader = openaiChat.openStream()
  for (const one of chunks) reader.push(utf8.encode(`data: ${JSON.stringify(one)}\n\n`))
  return reader.finish()
}

const replyOf = (...chunks: JsonValue[]) => {
  const end = readStream(...chunks)
  if (!('reply' in end)) throw new Error(end.error.message)
  return end.reply
}

const refused = (name: string) => expect.objectContaining({ details: expect.objectContaining({ name }) })
const sources = 'citations, annotations, search results, grounding'

describe('what a replay cannot give back is refused', () => {
  test.each<[string, JsonObject]>([
    [sources, completion({ annotations: [{ type: 'url_citation' }] })],
    [sources, completion({}, { citations: ['https://x.test'] })],
    [sources, completion({ context: { citations: [{}] } })],
    [sources, completion({}, { search_results: [{ url: 'x' }] })],
    [sources, completion({ content: [{ type: 'reference', reference_ids: [1] }] })],
    ['logprobs in the reply', completion({}, {}, { logprobs: { content: [{ token: 'Hi' }] } })],
    ['audio or image output', completion({ audio: { id: 'x' } })],
    ['audio or image output', completion({ images: [{ type: 'image_url' }] })],
    ['legacy functions', completion({ function_call: { name: 'x', arguments: '{}' } })],
    ['hosted/server tools and their blocks', completion({ executed_tools: [{ type: 'search' }] })],
    ['hosted/server tools and their blocks', completion({ tool_calls: [{ id: 'x', type: 'web_search' }] })],
    ['inline moderation', completion({}, { moderation: { flagged: false } })],
    ['n > 1', { ...completion({}), choices: [...(completion({}).choices as JsonValue[]), { index: 1, message: {} }] }],
  ])('%s', (name, body) => {
    expect(() => openaiChat.readReply(body)).toThrow(refused(name))
  })

  test.each<[string, JsonObject]>([
    [sources, chunk({ annotations: [{ type: 'url_citation' }] })],
    [sources, chunk({}, {}, { citations: ['https://x.test'] })],
    ['logprobs in the reply', chunk({ content: 'Hi' }, { logprobs: { content: [{ token: 'Hi' }] } })],
    ['legacy functions', chunk({ function_call: { name: 'x' } })],
    ['n > 1', chunk({ content: 'Hi' }, { index: 1 })],
  ])('%s in a stream', (name, one) => {
    expect(() => readStream(chunk({ role: 'assistant' }), one, chunk({}, { finish_reason: 'stop' }))).toThrow(
      refused(name),
    )
  })

  test('and what is empty is nothing', () => {
    const nothing = { annotations: [], audio: null, function_call: null, refusal: null, tool_calls: [], images: [] }
    const bare = openaiChat.readReply(completion({}))
    const logprobs = { content: [], refusal: null }
    expect(openaiChat.readReply(completion(nothing, { citations: [] }, { logprobs }))).toEqual(bare)
  })
})

describe('reasons', () => {
  test.each([
    ['stop', { stop: 'end' }],
    ['length', { stop: 'length' }],
    ['content_filter', { stop: 'filter' }],
    ['model_length', { stop: 'length', stopDetail: 'model_length' }],
    ['eos', { stop: 'end', stopDetail: 'eos' }],
    ['insufficient_system_resource', { stop: 'end', stopDetail: 'insufficient_system_resource' }],
    [null, { stop: 'end', stopDetail: 'none' }],
  ])('%s', (word, expected) => {
    const { turn } = openaiChat.readReply(completion({}, {}, { finish_reason: word }))
    expect(turn).toEqual({ parts: [{ type: 'text', text: 'Hi' }], ...expected })
  })

  test('a refusal is told by its text', () => {
    expect(openaiChat.readReply(completion({ content: null, refusal: 'No.' })).turn).toEqual({
      parts: [{ type: 'refusal', text: 'No.' }],
      stop: 'refusal',
    })
  })
})

describe('vendors', () => {
  const calls = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }]

  test('empty content beside calls is told from none', () => {
    const given = (content: string | null) =>
      openaiChat.readReply(completion({ content, tool_calls: calls }, {}, { finish_reason: 'tool_calls' })).turn.parts
    expect(given('').map(({ type }) => type)).toEqual(['text', 'tool_use'])
    expect(given(null).map(({ type }) => type)).toEqual(['tool_use'])
  })

  test.each(['reasoning_content', 'reasoning'])('thinking in %s goes back where it was', (field) => {
    const { turn, extras } = openaiChat.readReply(completion({ [field]: 'Hm.' }))
    expect(turn.parts[0]).toEqual({ type: 'reasoning', text: 'Hm.' })
    const request = { url: 'http://localhost/v1/chat/completions', headers: {}, body: { model: 'x' } }
    const context = { request, replyId: 'r', timestamp: 0 }
    const message = (given?: object) =>
      JSON.parse(String(openaiChat.writeReply(turn, { ...context, ...given }).body)).choices[0].message
    expect(message({ extras })).toEqual({ role: 'assistant', content: 'Hi', refusal: null, [field]: 'Hm.' })
    expect(message()).toMatchObject({ reasoning_content: 'Hm.', reasoning: 'Hm.' })
  })

  test('deltas of calls need no index, and one index may stand for several calls', () => {
    const name = (id: string, args: string, index?: number) => ({
      tool_calls: [{ id, function: { name: 'f', arguments: args }, ...(index !== undefined && { index }) }],
    })
    const more = (args: string) => ({ tool_calls: [{ function: { arguments: args } }] })
    const ids = (...deltas: JsonObject[]) =>
      replyOf(...deltas.map((delta) => chunk(delta)), chunk({}, { finish_reason: 'tool_calls' })).turn.parts.map(
        (part) => (part.type === 'tool_use' ? [part.toolCallId, part.toolInput] : part.type),
      )
    expect(ids(name('a', '{"x"'), more(':1}'), name('b', '{}'))).toEqual([
      ['a', { x: 1 }],
      ['b', {}],
    ])
    expect(ids(name('a', '{}', 0), name('b', '{"y":2}', 0))).toEqual([
      ['a', {}],
      ['b', { y: 2 }],
    ])
    expect(ids(name('a', '{"x":', 0), { tool_calls: [{ index: 0, id: 'a', function: { arguments: '1}' } }] })).toEqual([
      ['a', { x: 1 }],
    ])
    expect(ids(name('', '{}'), name('', '{}'))).toEqual([
      ['', {}],
      ['', {}],
    ])
  })

  test('a chunk without choices, and a first one with filter results, are skipped', () => {
    const azure = { choices: [], prompt_filter_results: [{ prompt_index: 0 }], model: '', id: '' }
    const { turn, extras } = replyOf(
      azure,
      chunk({ content: 'Hi' }, {}, { model: 'gpt-5' }),
      chunk({}, { finish_reason: 'stop' }),
    )
    expect({ turn, model: extras.servedModel }).toEqual({
      turn: { parts: [{ type: 'text', text: 'Hi' }], stop: 'end' },
      model: 'gpt-5',
    })
  })

  test('counts come from the last chunk that has some', () => {
    const usage = (count: number) => ({
      prompt_tokens: 5,
      completion_tokens: count,
      prompt_tokens_details: { cached_tokens: 4 },
    })
    const { extras } = replyOf(
      chunk({ content: 'Hi' }, {}, { usage: usage(1) }),
      chunk({}, { finish_reason: 'stop' }, { usage: usage(2) }),
      { choices: [], usage: null },
    )
    expect(extras.tokens).toEqual({ input: 5, output: 2, cacheRead: 4 })
  })

  test('an error chunk ends the stream with what had come', () => {
    const error = { message: 'Token limit reached', code: 400 }
    const end = readStream(chunk({ content: 'The ord' }), { ...chunk({ content: '' }), error })
    expect(end).toEqual({
      error: {
        status: 200,
        kind: 'server',
        message: 'Token limit reached',
        error: { error },
        parts: [{ type: 'text', text: 'The ord' }],
        afterParts: 0,
        chunks: [7],
      },
    })
  })
})

test('arguments that came as an object go back as one', () => {
  const given = [{ id: 'c1', type: 'function', function: { name: 'f', arguments: { a: 1 } } }]
  const json = openaiChat.readReply(completion({ tool_calls: given }))
  const streamed = replyOf(
    chunk({ tool_calls: [{ index: 0, ...given[0] }] }),
    chunk({}, { finish_reason: 'tool_calls' }),
  )
  for (const { turn, extras } of [json, streamed]) {
    expect(turn.parts.at(-1)).toMatchObject({ toolInput: { a: 1 } })
    const write = (stream: boolean) => {
      const request = { url: 'http://localhost/v1/chat/completions', headers: {}, body: { model: 'x', stream } }
      return String(openaiChat.writeReply(turn, { request, replyId: 'r', timestamp: 0, extras }).body)
    }
    for (const stream of [false, true]) expect(write(stream)).toContain('"arguments":{"a":1}')
  }
})

test('a refusal of a file without parts is told by its text', () => {
  const request = { url: 'http://localhost/v1/chat/completions', headers: {}, body: { model: 'x' } }
  const turn = { parts: [{ type: 'text' as const, text: 'No.' }], stop: 'refusal' as const }
  const { choices } = JSON.parse(String(openaiChat.writeReply(turn, { request, replyId: 'r', timestamp: 0 }).body))
  expect(choices[0]).toMatchObject({ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' })
})

test('a sum that is more than its parts is kept', () => {
  const usage = { prompt_tokens: 35, completion_tokens: 12, total_tokens: 109 }
  const { turn, extras } = openaiChat.readReply(completion({}, { usage }))
  const request = { url: 'http://localhost/v1/chat/completions', headers: {}, body: { model: 'x' } }
  const { body } = openaiChat.writeReply(turn, { request, replyId: 'r', timestamp: 0, extras })
  expect(JSON.parse(String(body)).usage).toEqual(usage)
})

test('usage is written where the request asks for it, and where a vendor counts unasked', () => {
  const written = (stream_options: JsonObject | null, extras?: object) => {
    const body = { model: 'x', stream: true, stream_options }
    const request = { url: 'http://localhost/v1/chat/completions', headers: {}, body }
    const turn = { parts: [{ type: 'text' as const, text: 'Hi' }], stop: 'end' as const }
    const answer = openaiChat.writeReply(turn, { request, replyId: 'r', timestamp: 0, ...(extras && { extras }) })
    return (answer.body as string[])
      .filter((event) => event.includes('"usage"'))
      .map((event) => JSON.parse(event.slice('data: '.length)))
      .map(({ choices, usage }) => [choices.length, usage.total_tokens])
  }
  const extras = { tokens: { input: 3, output: 2 } }
  expect(written({ include_usage: true })).toEqual([[0, 0]])
  expect(written({ include_usage: true }, extras)).toEqual([[0, 5]])
  expect(written(null)).toEqual([])
  expect(written(null, extras)).toEqual([[1, 5]])
})
