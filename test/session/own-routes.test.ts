import axios from 'axios'
import { describe, expect, test } from 'vitest'
import { chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { chatRequest } from './sdk-clients.ts'

const path = '/tenants/acme/generate'
const headers = { authorization: 'Bearer k-0123456789abcdef', 'content-type': 'application/json' }

type Ask = (url: string) => Promise<string>
const ways: Record<string, Ask> = {
  fetch: async (url) => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(chatRequest()) })
    return (await response.json()).choices[0].message.content
  },
  axios: async (url) => {
    const { data } = await axios.post(`${url}${path}?trace=1`, chatRequest(), { headers })
    return data.choices[0].message.content
  },
}

describe.each(Object.entries(ways))('over %s', (_, ask) => {
  test('a URL that the user named is recorded and replayed', async () => {
    await using file = await temporaryCassette()
    const provider = await startFakeProvider({ other: chatReply({ content: 'Hello' }) })
    const options = { providers: [{ url: `${provider.url}/tenants/*/generate`, wire: 'openai.chat' }] }
    const recorded = await inTest(file.path, options, () => ask(provider.url))
    await provider.stop()
    expect(recorded).toMatchObject({ value: 'Hello', result: { kind: 'recorded', liveCalls: 1 } })
    const replayed = await inTest(file.path, options, () => ask(provider.url))
    expect(replayed).toMatchObject({ value: 'Hello', result: { kind: 'replayed', errors: [], replayedCalls: 1 } })
  })
})

test('the fetch of a cassette knows the same URLs', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ other: chatReply({ content: 'Hello' }) })
  const options = { providers: [{ url: provider.url + path, wire: 'openai.chat' }] }
  const { result } = await inTest(file.path, options, (cassette) =>
    cassette.fetch(provider.url + path, { method: 'POST', headers, body: JSON.stringify(chatRequest()) }),
  )
  expect(result).toMatchObject({ kind: 'recorded', liveCalls: 1 })
})

test.each([
  ['another path', '/tenants/acme/generate/x'],
  ['more path where the star stands', '/tenants/acme/eu/generate'],
])('%s is another URL', async (_, other) => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ other: chatReply({ content: 'Hello' }) })
  const options = { providers: [{ url: `${provider.url}/tenants/*/generate`, wire: 'openai.chat' }] }
  const { result } = await inTest(file.path, options, () =>
    fetch(provider.url + other, { method: 'POST', headers, body: JSON.stringify(chatRequest()) }),
  )
  expect(result).toMatchObject({ kind: 'discarded', liveCalls: 0 })
})

test.each([
  [
    { url: 'https://llm.test/generate', wire: 'openai' },
    'providers[0].wire is "openai", and there is no such wire; there are openai.chat, openai.responses, anthropic.messages',
  ],
  [{ url: 'llm.test/generate', wire: 'openai.chat' }, 'providers[0].url must be a whole URL'],
])('%j is a mistake that the error names', async (route, message) => {
  await using file = await temporaryCassette()
  await expect(inTest(file.path, { providers: [route] }, async () => undefined)).rejects.toMatchObject({
    code: 'RETAKE_CONFIG',
    message: expect.stringContaining(message),
  })
})
