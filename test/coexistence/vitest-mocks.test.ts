import { installSeam } from '@retake/session'
import axios from 'axios'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { inTest, temporaryCassette } from '../session/in-test.ts'
import { chatRequest, openaiAt, postChat } from '../session/sdk-clients.ts'
import { chatError, chatJson, chatStream } from '../support/fake-provider/chat.ts'
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts'

installSeam()

let provider: FakeProvider
let file: Awaited<ReturnType<typeof temporaryCassette>>

beforeAll(async () => {
  provider = await startFakeProvider({ replies: () => chatJson({ content: 'hello' }) })
  file = await temporaryCassette()
  await inTest(file.path, {}, () => postChat(provider.url))
})
afterAll(async () => {
  await provider.stop()
  await file[Symbol.asyncDispose]()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const replay = <T>(body: () => Promise<T>) => inTest(file.path, { mode: 'replay', allowUnused: true }, body)
const ask = () => openaiAt(provider.url).chat.completions.create(chatRequest())
const contentOf = (reply: Awaited<ReturnType<typeof ask>>) => reply.choices[0]?.message.content

test.each<[string, () => void]>([
  ['vi.stubGlobal with a function', () => vi.stubGlobal('fetch', async () => new Response('stub'))],
  [
    'vi.stubGlobal with a mock',
    () =>
      vi.stubGlobal(
        'fetch',
        vi.fn(async () => new Response('stub')),
      ),
  ],
  [
    'vi.spyOn with an implementation',
    () => vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('stub')),
  ],
])('%s wins, and what was there comes back', async (_, stub) => {
  const { fetch: before } = globalThis
  const early = openaiAt(provider.url)
  stub()
  const { value } = await replay(async () => [
    await (await postChat(provider.url)).text(),
    contentOf(await early.chat.completions.create(chatRequest())),
  ])
  expect(value).toEqual(['stub', 'hello'])
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  expect(globalThis.fetch).toBe(before)
  expect((await replay(ask)).result.replayedCalls).toBe(1)
})

test('a fetch that was assigned wins over one that is put on top later', async () => {
  const { fetch: before } = globalThis
  globalThis.fetch = vi.fn(async () => new Response('mine'))
  const { value } = await replay(async () => (await postChat(provider.url)).text())
  globalThis.fetch = before
  expect(value).toBe('mine')
})

test('a spy sees the requests, and the cassette answers', async () => {
  const spy = vi.spyOn(globalThis, 'fetch')
  const { value, result } = await replay(ask)
  expect(contentOf(value)).toBe('hello')
  expect(spy).toHaveBeenCalledTimes(1)
  expect(result).toMatchObject({ kind: 'replayed', errors: [] })
})

const clients: Record<string, () => Promise<unknown>> = {
  openai: async () => contentOf(await ask()),
  axios: async () => contentOf((await axios.post(`${provider.url}/v1/chat/completions`, chatRequest())).data),
}

test.each(Object.entries(clients))('fake timers hold nothing up: %s', async (_, send) => {
  await using fresh = await temporaryCassette()
  vi.useFakeTimers()
  const recorded = await inTest(fresh.path, {}, send)
  const replayed = await inTest(fresh.path, {}, send)
  expect(recorded).toMatchObject({ value: 'hello', result: { kind: 'recorded' } })
  expect(replayed).toMatchObject({ value: 'hello', result: { kind: 'replayed', errors: [] } })
})

test('a rate limit, waited for by a fake clock that goes on, and a stream', async () => {
  await using fresh = await temporaryCassette()
  await using limited = await startFakeProvider({
    replies: [chatError(429, { message: 'Slow down' }), chatStream({ content: 'one two' }, { pieces: 2 })],
  })
  const send = async () => {
    const client = openaiAt(limited.url, { maxRetries: 1 })
    const stream = client.chat.completions.create({ ...chatRequest(), stream: true })
    let said = ''
    for await (const { choices } of await stream) said += choices[0]?.delta.content ?? ''
    return said
  }
  const recorded = await inTest(fresh.path, {}, send)
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const replayed = await inTest(fresh.path, {}, send)
  expect([recorded.value, replayed.value]).toEqual(['one two', 'one two'])
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})
