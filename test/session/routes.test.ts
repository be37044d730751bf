import axios from 'axios'
import { expect, test, vi } from 'vitest'
import { chatJson, chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf } from './record-and-replay.ts'
import { chatRequest, openaiAt, postChat } from './sdk-clients.ts'

const other = {
  body: '{"object":"list","data":[],"id":"x","output":[]}',
  headers: { 'content-type': 'application/json' },
}
const ask = (url: string) => openaiAt(url).chat.completions.create(chatRequest())

const sends: [string, string, (url: string) => Promise<unknown>][] = [
  ['/v1/responses/ID', 'openai stored responses', (url) => openaiAt(url).responses.retrieve('resp_1')],
  [
    '/v1/responses/input_tokens',
    'openai responses input_tokens',
    (url) => axios.post(`${url}/v1/responses/input_tokens`, {}),
  ],
  ['/v1/images/generations', 'openai images', (url) => openaiAt(url).images.generate({ prompt: 'A cat' })],
]

test.each(sends)(
  '%s is passed on with a notice while recording, and refused by name in a replay',
  async (_, name, send) => {
    await using file = await temporaryCassette()
    await using provider = await startFakeProvider({ replies: () => chatJson({ content: 'Hello' }), other })
    const notices: string[] = []
    const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean(notices.push(String(text))))
    const recorded = await inTest(file.path, {}, async () => {
      await ask(provider.url)
      return [await outcomeOf(send(provider.url)), await outcomeOf(send(provider.url))]
    })
    stderr.mockRestore()
    expect(recorded.value.every((outcome) => 'value' in (outcome as object))).toBe(true)
    expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: 1, errors: [] })
    expect(notices.filter((text) => text.includes(name))).toHaveLength(1)

    const sent = provider.requests.length
    const replayed = await inTest(file.path, {}, async () => {
      await ask(provider.url)
      return outcomeOf(send(provider.url))
    })
    expect(JSON.stringify(replayed.value)).toContain('400')
    expect(replayed.result).toMatchObject({
      kind: 'failed',
      errors: [{ code: 'RETAKE_UNSUPPORTED', details: { name } }],
    })
    expect(provider.requests).toHaveLength(sent)
  },
)

test('a route that is allowed is left alone in both', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: () => chatJson({ content: 'Hello' }), other })
  const agent = async () => {
    await ask(provider.url)
    return (await openaiAt(provider.url).embeddings.create({ model: 'e', input: 'Hi' })).data
  }
  const allow = [`${provider.url}/v1/embeddings`]
  await inTest(file.path, { allow }, agent)
  const replayed = await inTest(file.path, { allow }, agent)
  expect(replayed).toMatchObject({ value: [], result: { kind: 'replayed', errors: [] } })
  expect(provider.requests.map(({ url }) => url)).toEqual(['/v1/chat/completions', '/v1/embeddings', '/v1/embeddings'])
})

test.each<[string, (url: string) => Promise<Response>]>([
  ['GET on the path of a model', (url) => fetch(`${url}/v1/chat/completions`)],
  ['a body without messages', (url) => postChat(url, { model: 'gpt-5', prompt: 'Hi' })],
  ['a body that is no JSON', (url) => postChat(url, {}, { body: 'Hi' })],
  ['an empty body', (url) => postChat(url, {}, { body: '' })],
  ['a path that only begins like one', (url) => fetch(`${url}/v1/chat/completions/chatcmpl-1`)],
])('%s is ordinary HTTP', async (_, send) => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({
    replies: (request) =>
      Array.isArray(request.body?.messages) ? chatJson({ content: 'Hello' }) : { status: 418, body: 'teapot' },
    other: { status: 418, body: 'teapot' },
  })
  const agent = async () => {
    await ask(provider.url)
    const response = await send(provider.url)
    return [response.status, await response.text()]
  }
  const recorded = await inTest(file.path, {}, agent)
  expect(recorded).toMatchObject({ value: [418, 'teapot'], result: { kind: 'recorded', liveCalls: 1, errors: [] } })
  const replayed = await inTest(file.path, {}, agent)
  expect(replayed).toMatchObject({ value: [418, 'teapot'], result: { kind: 'replayed', errors: [] } })
})

test('a relative URL fails as without retake', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: [chatReply({ content: 'Hello' })] })
  const agent = async () => {
    await ask(provider.url)
    return outcomeOf(fetch('/v1/chat/completions', { method: 'POST', body: JSON.stringify(chatRequest()) }))
  }
  const outside = await outcomeOf(fetch('/v1/chat/completions', { method: 'POST' }))
  expect((await inTest(file.path, {}, agent)).value).toEqual(outside)
  expect((await inTest(file.path, {}, agent)).value).toEqual(outside)
})
