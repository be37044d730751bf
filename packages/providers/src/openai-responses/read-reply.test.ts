import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import type { Reply, WriteContext } from '../wire.ts'
import { openaiResponses } from './wire.ts'

const utf8 = new TextEncoder()

const corpus = (name: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, '../../../../test/corpus/traffic/responses', `${name}.json`), 'utf8'),
  ).response.body

const response = (output: JsonValue[], rest: JsonObject = {}): JsonObject => ({
  id: 'resp_1',
  status: 'completed',
  model: 'gpt-5-2025',
  output,
  ...rest,
})
const message = (...content: JsonObject[]): JsonObject => ({ type: 'message', id: 'msg_1', role: 'assistant', content })
const text = (words: string, rest: JsonObject = {}) => ({ type: 'output_text', text: words, ...rest })

const readStream = (body: string) => {
  const reader = openaiResponses.openStream()
  reader.push(utf8.encode(body))
  return reader.finish()
}
const events = (...given: JsonObject[]) => given.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

const context = (stream: boolean, reply?: Reply): WriteContext => ({
  request: { url: 'https://api.openai.com/v1/responses', headers: {}, body: { model: 'm', stream } },
  replyId: 'run-1',
  timestamp: 0,
  ...(reply && { extras: reply.extras }),
})
const writeJson = (reply: Reply) =>
  JSON.parse(String(openaiResponses.writeReply(reply.turn, context(false, reply)).body))

const withoutIds = (items: JsonObject[]) => items.map(({ id: _, ...item }) => item)
const refused = (name: string) => expect.objectContaining({ details: expect.objectContaining({ name }) })
const hosted = 'hosted/server tools and their blocks'
const sources = 'citations, annotations, search results, grounding'

describe('a recorded reply', () => {
  test('with a custom call has the input as its text', () => {
    expect(openaiResponses.readReply(corpus('openai-custom-call')).turn).toMatchObject({
      stop: 'tools',
      parts: [
        { type: 'reasoning', text: '' },
        { toolName: 'math_exp', toolInput: '4 + 4', kind: 'custom' },
      ],
    })
  })

  test.each(['openai-custom-call', 'xai-encrypted-call', 'azure-encrypted-thinking'])(
    '%s is written with the same items, usage and status',
    (name) => {
      const body = corpus(name)
      const written = writeJson(openaiResponses.readReply(body))
      const plain = (items: JsonObject[]) => withoutIds(items).map(({ status: _, ...item }) => item)
      expect(plain(written.output)).toMatchObject(plain(body.output))
      expect(written.status).toBe(body.status)
      expect(written.usage.total_tokens).toBe(body.usage.total_tokens)
      expect(written.model).toBe(body.model)
    },
  )

  test('keeps encrypted thinking with its id beside the turn', () => {
    const { turn, extras } = openaiResponses.readReply(corpus('azure-encrypted-thinking'))
    const part = turn.parts.findIndex(({ type }) => type === 'reasoning')
    const { id, encrypted_content } = corpus('azure-encrypted-thinking').output[part]
    expect(extras.opaque).toMatchObject([{ part, kind: 'reasoning_item', value: { id, encrypted_content } }])
    expect(JSON.stringify(turn)).not.toContain(encrypted_content.slice(0, 20))
  })

  test('that was streamed has its text, thinking and phase', () => {
    const phase = readStream(corpus('openai-stream-phase'))
    expect(phase).toMatchObject({ reply: { turn: { stop: 'end', parts: [{ type: 'text' }] } } })
    expect('reply' in phase && writeJson(phase.reply).output[0].phase).toBe('final_answer')
    const thinking = readStream(corpus('bedrock-stream-reasoning'))
    expect(thinking).toMatchObject({ reply: { turn: { parts: [{ type: 'reasoning' }, { type: 'text' }] } } })
  })

  test('that failed in its stream is an error with the words of the provider, and is written as it came', () => {
    const { error } = readStream(corpus('openai-stream-error')) as {
      error: { status: number; kind: string; message: string }
    }
    expect(error).toMatchObject({
      status: 200,
      kind: 'rate_limit',
      code: 'insufficient_quota',
      type: 'insufficient_quota',
    })
    const again = openaiResponses.writeError(error, context(true)).body
    expect(readStream((again as string[]).join(''))).toEqual({ error })
    expect((again as string[]).at(-1)).toMatch(/^event: error\ndata: /)
  })

  test('of a hosted tool is refused', () => {
    expect(() => openaiResponses.readReply(corpus('openai-web-search'))).toThrow(refused(hosted))
  })
})

describe('what a replay cannot give back is refused', () => {
  test.each<[string, JsonObject]>([
    [sources, response([message(text('Hi', { annotations: [{ type: 'url_citation' }] }))])],
    ['logprobs in the reply', response([message(text('Hi', { logprobs: [{ token: 'Hi' }] }))])],
    ['audio or image output', response([message({ type: 'output_audio', data: '' })])],
    [hosted, response([{ type: 'web_search_call' }])],
    [hosted, response([{ type: 'function_call_output', output: 'x' }])],
    [hosted, response([{ type: 'mcp_approval_request' }])],
    [hosted, response([{ type: 'function_call', name: 'x', arguments: '', caller: { type: 'program' } }])],
    ['compaction', response([{ type: 'compaction' }])],
    ['background', response([], { status: 'queued' })],
    ['inline moderation', response([], { moderation: { output: [{}] } })],
    ['unreadable reply', response([{ type: 'brand_new' }])],
  ])('%s', (name, body) => {
    expect(() => openaiResponses.readReply(body)).toThrow(refused(name))
  })

  test.each<[string, JsonObject]>([
    [sources, { type: 'response.output_text.annotation.added', annotation: {} }],
    ['logprobs in the reply', { type: 'response.output_text.delta', delta: 'a', logprobs: [{ token: 'a' }] }],
    [hosted, { type: 'response.output_item.added', item: { type: 'code_interpreter_call' } }],
    ['audio or image output', { type: 'response.audio.delta', delta: '' }],
    ['background', { type: 'response.queued' }],
  ])('%s in a stream', (name, event) => {
    expect(() => readStream(events(event))).toThrow(refused(name))
  })
})

describe('the end of a reply', () => {
  const said = message(text('The ord'))
  test.each<[JsonObject, JsonObject]>([
    [{ status: 'completed' }, { stop: 'end' }],
    [{ status: 'complete' }, { stop: 'end', stopDetail: 'complete' }],
    [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, { stop: 'length' }],
    [{ status: 'incomplete', incomplete_details: { reason: 'content_filter' } }, { stop: 'filter' }],
    [
      { status: 'incomplete', incomplete_details: { reason: 'bored' } },
      { stop: 'length', stopDetail: 'incomplete: bored' },
    ],
    [
      { status: 'incomplete', incomplete_details: null },
      { stop: 'length', stopDetail: 'incomplete' },
    ],
  ])('%j is %j, and is written again', (ending, stop) => {
    const reply = openaiResponses.readReply(response([said], ending))
    expect(reply.turn).toEqual({ parts: [{ type: 'text', text: 'The ord' }], ...stop })
    expect(writeJson(reply)).toMatchObject(ending)
  })

  test('a failure is told by its status', () => {
    const error = { code: 'rate_limit_exceeded', message: 'Slow down.' }
    const failed = openaiResponses.readFailure?.(response([], { status: 'failed', error }))
    expect(failed).toEqual({ status: 200, kind: 'rate_limit', servedModel: 'gpt-5-2025', ...error })
    expect(openaiResponses.readFailure?.(response([]))).toBeUndefined()
    const written = openaiResponses.writeError(failed as NonNullable<typeof failed>, context(false))
    expect(JSON.parse(String(written.body))).toMatchObject({ status: 'failed', model: 'gpt-5-2025', error })
  })

  test('a word of a moderation in a failure comes back whole', () => {
    const error = { code: 'bio_policy', message: 'No.', misalignment: { error_type: 'other' } }
    const end = readStream(events({ type: 'response.failed', response: response([], { status: 'failed', error }) }))
    const again = openaiResponses.writeError((end as { error: never }).error, context(true)).body as string[]
    expect(JSON.parse(String(again.at(-1)).split('data: ')[1] ?? '').response.error).toEqual(error)
  })
})

describe('a stream', () => {
  const items: JsonObject[] = [
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [
        { type: 'summary_text', text: 'One.' },
        { type: 'summary_text', text: 'Two.' },
      ],
    },
    message(text('Hello')),
    {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'call_1',
      name: 'lookup',
      namespace: 'orders',
      arguments: '{"a": 1}',
    },
  ]
  const reply = openaiResponses.readReply(response(items))
  const written = openaiResponses.writeReply(reply.turn, context(true, reply)).body as string[]
  const payloads = written.map((event) => JSON.parse(event.split('data: ')[1] ?? ''))

  test('has the events of the documented order, numbered from zero', () => {
    expect(payloads.map(({ sequence_number }) => sequence_number)).toEqual(payloads.map((_, index) => index))
    const summary = ['part.added', 'text.delta', 'text.done', 'part.done'].map((word) => `reasoning_summary_${word}`)
    expect(payloads.map(({ type }) => type.replace('response.', ''))).toEqual([
      ...['created', 'in_progress'],
      ...['output_item.added', ...summary, ...summary, 'output_item.done'],
      ...['output_item.added', 'content_part.added', 'output_text.delta', 'output_text.done', 'content_part.done'],
      ...['output_item.done', 'output_item.added', 'function_call_arguments.delta', 'function_call_arguments.done'],
      ...['output_item.done', 'completed'],
    ])
  })

  test('has ids of its own that are the same all through it', () => {
    const { id, output } = payloads.at(-1).response
    expect(id).toBe('resp_run-1')
    expect(output.map((item: JsonObject) => item.id)).toEqual(['rs_run-1-0', 'msg_run-1-1', 'fc_run-1-2'])
    const done = payloads.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
    expect(done).toEqual(output)
  })

  test('is read back with its summaries in one item and the function in its namespace', () => {
    const again = readStream(written.join(''))
    expect('reply' in again && again.reply.turn).toEqual(reply.turn)
    expect(withoutIds(payloads.at(-1).response.output)).toMatchObject(withoutIds(items))
  })

  test('whose last event holds no output is read from the items that were done', () => {
    const [first, ...rest] = written.toReversed()
    const empty = String(first).replace(/"output":\[.*\],"parallel/, '"output":[],"parallel')
    const again = readStream([...rest.toReversed(), empty].join(''))
    expect('reply' in again && again.reply.turn).toEqual(reply.turn)
  })
})
