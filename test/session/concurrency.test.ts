import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatReply, chatStream } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Says back what it was asked, later for even numbers, so that replies overtake each other. */
const echo = () =>
  startFakeProvider({
    replies: async (request) => {
      const { content } = request.body.messages.at(-1)
      await pause(Number(/\d+/.exec(content)?.[0] ?? 0) % 2 ? 1 : 15)
      const reply = chatReply({ content: `echo ${content}` })
      return typeof reply === 'function' ? reply(request) : reply
    },
  })

test('50 concurrent tests record and replay without cross-talk', async () => {
  const files = await Promise.all(Array.from({ length: 50 }, () => temporaryCassette()))
  const provider = await echo()
  const talk = (n: number) => async () => {
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k' })
    const said: unknown[] = []
    for (const turn of [1, 2, 3]) {
      const { choices } = await client.chat.completions.create({
        model: 'gpt-5',
        messages: [{ role: 'user', content: `test ${n}, turn ${turn}` }],
      })
      said.push(choices[0]?.message.content)
    }
    return said
  }
  const all = () => Promise.all(files.map((file, n) => inTest(file.path, { label: `test ${n}` }, talk(n))))
  const recorded = await all()
  await provider.stop()
  const replayed = await all()

  for (const [n, { value, result }] of recorded.entries()) {
    expect(value).toEqual([1, 2, 3].map((turn) => `echo test ${n}, turn ${turn}`))
    expect(result).toMatchObject({ kind: 'recorded', liveCalls: 3 })
  }
  for (const [n, { value, result }] of replayed.entries()) {
    expect(value).toEqual(recorded[n]?.value)
    expect(result).toMatchObject({ kind: 'replayed', replayedCalls: 3 })
  }
  await Promise.all(files.map((file) => file[Symbol.asyncDispose]()))
})

test('parallel calls of one agent replay in any order', async () => {
  await using file = await temporaryCassette()
  const provider = await echo()
  const ask = (n: number) =>
    new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k' }).chat.completions
      .create({ model: 'gpt-5', messages: [{ role: 'user', content: `number ${n}` }] })
      .then(({ choices }) => choices[0]?.message.content)
  const numbers = Array.from({ length: 8 }, (_, n) => n)
  await inTest(file.path, {}, () => Promise.all(numbers.map(ask)))
  await provider.stop()
  const backwards = await inTest(file.path, {}, () => Promise.all(numbers.toReversed().map(ask)))
  expect(backwards.result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(backwards.value).toEqual(numbers.toReversed().map((n) => `echo number ${n}`))
})

test('calls that did not overlap replay in the recorded order only', async () => {
  await using file = await temporaryCassette()
  await using provider = await echo()
  const ask = (n: number) =>
    new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k' }).chat.completions.create({
      model: 'gpt-5',
      messages: [{ role: 'user', content: `number ${n}` }],
    })
  await inTest(file.path, {}, async () => {
    await ask(1)
    await ask(3)
  })
  const swapped = await inTest(file.path, {}, () => ask(3).catch(() => {}))
  expect(swapped.result.errors[0]).toMatchObject({ code: 'RETAKE_OUT_OF_ORDER' })
})

test('equal requests get their own replies, then one is too many', async () => {
  await using file = await temporaryCassette()
  const replies = ['first', 'second', 'third'].map((content) => chatReply({ content }))
  await using provider = await startFakeProvider({ replies })
  const ask = () =>
    new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k' }).chat.completions
      .create({ model: 'gpt-5', messages: [{ role: 'user', content: 'Say something.' }] })
      .then(({ choices }) => choices[0]?.message.content)
  const thrice = async () => [await ask(), await ask(), await ask()]
  await inTest(file.path, {}, thrice)
  const replayed = await inTest(file.path, {}, async () => [...(await thrice()), await ask().catch(() => 'refused')])
  expect(replayed.value).toEqual(['first', 'second', 'third', 'refused'])
  expect(replayed.result.errors[0]).toMatchObject({ code: 'RETAKE_STEP_USED' })
})

test('the first chunk reaches the app before the second is sent', async () => {
  await using file = await temporaryCassette()
  const stream = chatStream({ content: 'one two three four' }, { pieces: 4, pauseMs: 100 })
  await using provider = await startFakeProvider({ replies: [stream] })
  const arrivals: number[] = []
  await inTest(file.path, {}, async () => {
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k' })
    const reply = await client.chat.completions.create({
      model: 'gpt-5',
      stream: true,
      messages: [{ role: 'user', content: 'Count.' }],
    })
    for await (const chunk of reply) if (chunk.choices[0]?.delta.content) arrivals.push(performance.now())
  })
  const { writes } = provider.requests[0] as { writes: number[] }
  expect(arrivals).toHaveLength(4)
  // The first write is the role chunk; the k-th text must be here before the next one leaves.
  for (const [k, arrival] of arrivals.slice(0, 3).entries()) expect(arrival).toBeLessThan(writes[k + 2] as number)
})

let server: Server
let provider: Awaited<ReturnType<typeof echo>>

beforeAll(async () => {
  provider = await echo()
  const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k', maxRetries: 0 })
  server = createServer(async (request, response) => {
    const content = `number ${request.url}`
    try {
      const { choices } = await client.chat.completions.create({
        model: 'gpt-5',
        messages: [{ role: 'user', content }],
      })
      response.end(choices[0]?.message.content)
    } catch (error) {
      response.writeHead(502).end(String(error))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(async () => {
  server.close()
  await provider.stop()
})

const askServer = async (n: number) => {
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${n}`)
  return response.text()
}

test('a server started before the tests is recorded and replayed in sequential tests', async () => {
  const files = await Promise.all([1, 2, 3].map(() => temporaryCassette()))
  for (const [n, file] of files.entries()) {
    const { value, result } = await inTest(file.path, {}, () => askServer(n))
    expect(value).toBe(`echo number /${n}`)
    expect(result.kind).toBe('recorded')
  }
  const sent = provider.requests.length
  for (const [n, file] of files.entries()) {
    const { value, result } = await inTest(file.path, {}, () => askServer(n))
    expect(value).toBe(`echo number /${n}`)
    expect(result.kind).toBe('replayed')
  }
  expect(provider.requests).toHaveLength(sent)
  await Promise.all(files.map((file) => file[Symbol.asyncDispose]()))
})

test('a server started before the tests is refused by name while two cassettes are active', async () => {
  await using one = await temporaryCassette()
  await using two = await temporaryCassette()
  const sent = provider.requests.length
  // Both tests stay open until both requests were answered: the first refusal would leave the other test alone.
  const answered: Promise<string>[] = []
  const body = async (n: number) => {
    answered.push(askServer(n))
    while (answered.length < 2) await pause(1)
    return (await Promise.all(answered))[n]
  }
  const results = await Promise.all(
    [one, two].map((file, n) => inTest(file.path, { label: `test ${n}` }, () => body(n))),
  )
  for (const { value, result } of results) {
    expect(value).toContain('cannot be attributed')
    expect(result.errors[0]).toMatchObject({ code: 'RETAKE_UNATTRIBUTED_REQUEST' })
  }
  expect(provider.requests).toHaveLength(sent)
})
