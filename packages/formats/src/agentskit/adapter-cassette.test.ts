import { expect, test } from 'vitest'
import type { AdapterChunk, AdapterFactory, AdapterMessage, AdapterRequest } from './adapter.ts'
import { createAdapterCassette, parseAdapterCassette, serializeAdapterCassette } from './adapter-cassette.ts'
import { createRecordingAdapter } from './recording-adapter.ts'
import { createReplayAdapter, type ReplayAdapterMode } from './replay-adapter.ts'
import { fingerprintAdapterRequest } from './request-fingerprint.ts'

const said = (content: string, more: Partial<AdapterMessage> = {}): AdapterMessage => ({
  ...{ id: Math.random().toString(), role: 'user', content, status: 'complete', createdAt: new Date() },
  ...more,
})
const asked = (...contents: string[]): AdapterRequest => ({ messages: contents.map((content) => said(content)) })

/** A model that repeats the last message, numbered. */
const echo = (): AdapterFactory => {
  let n = 0
  return {
    createSource: ({ messages }) => ({
      abort() {},
      async *stream() {
        yield { type: 'text', content: `${++n} ${messages.at(-1)?.content}` }
        yield { type: 'done' }
      },
    }),
  }
}

const read = async (adapter: AdapterFactory, request: AdapterRequest): Promise<AdapterChunk[]> => {
  const chunks: AdapterChunk[] = []
  for await (const chunk of adapter.createSource(request).stream()) chunks.push(chunk)
  return chunks
}
const answer = async (adapter: AdapterFactory, request: AdapterRequest) => (await read(adapter, request))[0]?.content

async function recorded(...requests: AdapterRequest[]) {
  const { factory, cassette } = createRecordingAdapter(echo(), { seed: 7, metadata: { suite: 'a' } })
  for (const request of requests) await read(factory, request)
  return parseAdapterCassette(serializeAdapterCassette(cassette))
}

const replay = async (mode: ReplayAdapterMode | undefined, ...requests: AdapterRequest[]) =>
  createReplayAdapter(await recorded(...requests), mode && { mode })

test('what was recorded is read again, with its seed, and replayed', async () => {
  const cassette = await recorded(asked('a'), asked('b'))
  expect(cassette).toMatchObject({ version: 1, seed: 7, metadata: { suite: 'a' } })
  expect(await read(createReplayAdapter(cassette), asked('b'))).toEqual([
    { type: 'text', content: '2 b' },
    { type: 'done' },
  ])
})

test('strict: equal requests come first recorded, first served; times and ids do not count', async () => {
  const adapter = await replay(undefined, asked('a'), asked('b'), asked('a'))
  expect(await answer(adapter, asked('a'))).toBe('1 a')
  expect(await answer(adapter, asked('a'))).toBe('3 a')
  expect(() => adapter.createSource(asked('a'))).toThrow('Replay miss (strict): no matching request fingerprint')
  expect(() => adapter.createSource(asked('a'))).toThrow(expect.objectContaining({ code: 'RETAKE_REPLAY_MISS' }))
})

test.each<[string, AdapterRequest]>([
  ['another role', { messages: [said('a', { role: 'assistant' })] }],
  ['parts', { messages: [said('a', { parts: [{ type: 'image' }] })] }],
  ['tool calls', { messages: [said('a', { toolCalls: [{ id: 't', name: 'x' }] })] }],
  ['the call that it answers', { messages: [said('a', { toolCallId: 't' })] }],
  ['a system prompt', { ...asked('a'), context: { systemPrompt: 'x' } }],
  ['a temperature', { ...asked('a'), context: { temperature: 0 } }],
  ['the schema of a tool', { ...asked('a'), context: { tools: [{ name: 't', schema: { type: 'object' } }] } }],
])('strict: %s makes it another request', async (_, request) => {
  const adapter = await replay('strict', asked('a'))
  expect(() => adapter.createSource(request)).toThrow('Replay miss (strict)')
})

test('strict: two messages are not one with the text of both, although the published fingerprint says so', async () => {
  const one = { messages: [said('a|user:b')] }
  expect(fingerprintAdapterRequest(one)).toBe(fingerprintAdapterRequest(asked('a', 'b')))
  const adapter = await replay('strict', one)
  expect(() => adapter.createSource(asked('a', 'b'))).toThrow('Replay miss (strict)')
})

test('sequential: the next one, whatever is asked', async () => {
  const adapter = await replay('sequential', asked('a'), asked('b'))
  expect(await answer(adapter, asked('x'))).toBe('1 a')
  expect(await answer(adapter, asked('x'))).toBe('2 b')
  expect(() => adapter.createSource(asked('x'))).toThrow('Replay exhausted at index 2')
})

test('loose: by the last message of the user', async () => {
  const adapter = await replay('loose', asked('old', 'a'), asked('b'))
  expect(await answer(adapter, { messages: [said('a'), said('later', { role: 'assistant' })] })).toBe('1 a')
  expect(() => adapter.createSource(asked('a'))).toThrow('Replay miss (loose): no entry for user message "a"')
})

test('another mode is refused at once', () => {
  expect(() => createReplayAdapter(createAdapterCassette(), { mode: 'fuzzy' as never })).toThrow(
    'Invalid replay mode: fuzzy',
  )
})

test('the published fingerprint', () => {
  expect(fingerprintAdapterRequest(asked('a', 'b'))).toBe('user:a|user:b::')
  const context = { systemPrompt: 's', maxTokens: 5, tools: [{ name: 'z' }, { name: 'b' }] }
  expect(fingerprintAdapterRequest({ ...asked('a'), context })).toBe('user:a::{"s":"s","t":null,"m":5,"tn":["b","z"]}')
})

test('an entry is as long as its reply was read, and holds the request as it was asked', async () => {
  const { factory, cassette } = createRecordingAdapter(echo())
  const request = asked('a')
  const [first] = [factory.createSource(request), factory.createSource(asked('b'))]
  request.messages.push(said('later'))
  for await (const _ of first.stream()) break
  expect(cassette.entries.map(({ request, chunks }) => [request.messages.length, chunks.length])).toEqual([
    [1, 1],
    [1, 0],
  ])
})

test('a replay keeps its own copy', async () => {
  const cassette = await recorded(asked('a'), asked('a'))
  const adapter = createReplayAdapter(cassette)
  cassette.entries.length = 0
  const [chunk] = await read(adapter, asked('a'))
  if (chunk) chunk.content = 'changed'
  expect(await answer(adapter, asked('a'))).toBe('2 a')
})
