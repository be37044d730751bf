import { setTimeout as pause } from 'node:timers/promises'
import { takeLateErrors } from '@retake/session'
import axios from 'axios'
import { afterEach, expect, test } from 'vitest'
import { chatJson, chatStream } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf } from './record-and-replay.ts'
import { chatRequest, openaiAt, postChat } from './sdk-clients.ts'

afterEach(() => {
  takeLateErrors()
})

const ask = (url: string, content?: string) => openaiAt(url).chat.completions.create(chatRequest(content))

/** A provider that takes its time, and a cassette with one answer of it. */
async function prepare(waitMs = 0) {
  const file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: () => ({ ...chatJson({ content: 'Hello' }), waitMs }) })
  const close = async () => {
    await provider.stop()
    await file[Symbol.asyncDispose]()
  }
  return { path: file.path, provider, url: provider.url, [Symbol.asyncDispose]: close }
}

test('a test that ends with a request on its way writes nothing and says so', async () => {
  await using at = await prepare(40)
  let late: Promise<unknown> | undefined
  const { result } = await inTest(at.path, {}, async () => {
    late = outcomeOf(ask(at.url))
    await pause(10)
  })
  expect(result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_LATE_REQUEST' }] })
  expect(result.errors[0]?.message).toContain('request 1')
  // The agent itself is left alone.
  expect(await late).toHaveProperty('value')
})

test('a test that ends with a tool at work writes nothing and says so', async () => {
  await using at = await prepare()
  const { result } = await inTest(at.path, {}, async (cassette) => {
    await ask(at.url)
    void cassette.tools({ lookup: () => pause(20, 'found') }).lookup()
  })
  expect(result.errors[0]?.message).toContain('tool "lookup"')
})

test('a stream that nobody reads to its end keeps no test from ending', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({
    replies: [chatStream({ content: 'one two' }, { pieces: 2, pauseMs: 30 })],
  })
  const { result } = await inTest(file.path, {}, () => postChat(provider.url, { ...chatRequest(), stream: true }))
  expect(result).toMatchObject({ kind: 'recorded', errors: [] })
  const replay = await inTest(file.path, {}, () => postChat(provider.url, { ...chatRequest(), stream: true }))
  expect(replay.result).toMatchObject({ kind: 'replayed', errors: [] })
})

type Send = (url: string) => Promise<unknown>

const lateSends: [string, Send][] = [
  ['an SDK', (url) => openaiAt(url).chat.completions.create(chatRequest())],
  ['fetch', async (url) => expectOk(await postChat(url))],
  ['axios over node:http', (url) => axios.post(`${url}/v1/chat/completions`, chatRequest())],
  ['a model route that is no wire yet', (url) => openaiAt(url).responses.create({ model: 'gpt-5', input: 'Hi' })],
  ['an endpoint beside the models', (url) => openaiAt(url).embeddings.create({ model: 'e', input: 'Hi' })],
]

const expectOk = async (response: Response) => {
  if (!response.ok) throw new Error(await response.text())
}

test.each(lateSends)('what a replayed test sends with %s after its end is refused under its name', async (_, send) => {
  await using at = await prepare()
  await inTest(at.path, {}, () => ask(at.url))
  const sent = at.provider.requests.length
  let late: Promise<unknown> | undefined
  const { result } = await inTest(at.path, { label: 'the hasty test' }, async () => {
    await ask(at.url)
    late = pause(20).then(() => outcomeOf(send(at.url)))
  })
  expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(await late).toHaveProperty('error')
  expect(takeLateErrors()).toMatchObject([{ code: 'RETAKE_LATE_REQUEST', details: { test: 'the hasty test' } }])
  expect(at.provider.requests).toHaveLength(sent)
})

test('what a late test sends is not taken for the next one', async () => {
  await using at = await prepare()
  await using other = await prepare()
  let late: Promise<unknown> | undefined
  await inTest(at.path, { label: 'the hasty test' }, async () => {
    await ask(at.url)
    late = pause(15).then(() => outcomeOf(ask(at.url, 'late')))
  })
  const { result, cassette } = await inTest(other.path, {}, async () => {
    await ask(at.url, 'in time')
    await late
  })
  expect(await late).toMatchObject({ error: { message: expect.stringContaining('the hasty test') } })
  expect(result).toMatchObject({ kind: 'recorded', liveCalls: 1 })
  expect(JSON.stringify(cassette.trace)).not.toContain('late')
})

test('the fetch of a cassette that has ended is refused', async () => {
  await using at = await prepare()
  const { cassette } = await inTest(at.path, {}, async () => ask(at.url))
  const sent = at.provider.requests.length
  const response = await cassette.fetch(`${at.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify(chatRequest()),
  })
  expect(response.status).toBe(400)
  expect(at.provider.requests).toHaveLength(sent)
})
