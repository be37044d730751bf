import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { chatCall, chatJson, chatReply, chatStream } from './chat.ts'
import { startFakeProvider } from './fake-provider.ts'

const post = (url: string, body: unknown, init: RequestInit = {}) =>
  fetch(url, { method: 'POST', headers: { 'x-test': '1' }, body: JSON.stringify(body), ...init })

test('answers model requests in order and keeps what it received', async () => {
  await using provider = await startFakeProvider({
    replies: [chatJson({ content: 'one' }), chatJson({ tool_calls: [chatCall('call_1', 'add', { a: 1 })] })],
  })
  const first = await post(`${provider.url}/v1/chat/completions?api-version=1`, { model: 'gpt-5', n: 1 })
  const second = await post(`${provider.url}/v1/chat/completions`, { model: 'gpt-5', n: 2 })

  expect((await first.json()).choices[0].message.content).toBe('one')
  expect((await second.json()).choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: null, tool_calls: [{ id: 'call_1', function: { name: 'add', arguments: '{"a":1}' } }] },
  })
  expect(provider.requests).toMatchObject([
    { method: 'POST', url: '/v1/chat/completions?api-version=1', body: { n: 1 }, headers: { 'x-test': '1' } },
    { body: { n: 2 }, hungUp: false },
  ])
})

test('refuses a request too many without making an SDK try again', async () => {
  await using provider = await startFakeProvider({ replies: [chatJson({ content: 'one' })] })
  await post(`${provider.url}/v1/chat/completions`, {})
  const late = await post(`${provider.url}/v1/chat/completions`, {})
  expect([late.status, late.headers.get('x-should-retry')]).toEqual([400, 'false'])
  expect((await late.json()).error.message).toBe('request 2 came, 1 replies are scripted')
})

test('answers by content when replies are a function', async () => {
  await using provider = await startFakeProvider({
    replies: ({ body }) => chatJson({ content: `echo ${body.messages[0].content}` }),
  })
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const response = await post(`${provider.url}/v1/chat/completions`, {
        messages: [{ role: 'user', content: `${i}` }],
      })
      return (await response.json()).choices[0].message.content
    }),
  )
  expect(answers).toEqual(Array.from({ length: 50 }, (_, i) => `echo ${i}`))
})

test('leaves other routes at 404 unless it was told what to say', async () => {
  await using plain = await startFakeProvider()
  await using open = await startFakeProvider({ other: ({ url }) => ({ body: JSON.stringify({ url }) }) })
  expect((await fetch(`${plain.url}/v1/models`)).status).toBe(404)
  expect(await (await fetch(`${open.url}/v1/models`)).json()).toEqual({ url: '/v1/models' })
})

test('pauses between chunks, so that the first one arrives before the second is written', { retry: 2 }, async () => {
  await using provider = await startFakeProvider({
    replies: [{ chunks: ['data: a\n\n', 'data: b\n\n', 'data: c\n\n', 'data: d\n\n'], pauseMs: 100 }],
  })
  const response = await post(`${provider.url}/v1/chat/completions`, { stream: true })
  const arrivals: number[] = []
  for await (const _ of response.body ?? []) arrivals.push(performance.now())

  const { writes } = provider.requests[0] ?? { writes: [] }
  expect(writes).toHaveLength(4)
  for (const index of [0, 1, 2]) expect(arrivals[index]).toBeLessThan(writes[index + 1] ?? 0)
})

test('cuts a stream after some chunks', async () => {
  await using provider = await startFakeProvider({ replies: [{ chunks: ['one ', 'two ', 'three'], cutAfter: 2 }] })
  const response = await post(`${provider.url}/v1/messages`, {})
  let seen = ''
  const reading = (async () => {
    for await (const chunk of response.body ?? []) seen += Buffer.from(chunk).toString()
  })()
  await expect(reading).rejects.toThrow('terminated')
  expect(seen).toBe('one two ')
  expect(provider.requests[0]?.hungUp).toBe(false)
})

test('cuts the connection before the status line', async () => {
  await using provider = await startFakeProvider({ replies: [{ cutAfter: 0 }] })
  await expect(post(`${provider.url}/v1/messages`, {})).rejects.toThrow('fetch failed')
})

test('stays silent, and sees the client hang up', async () => {
  await using provider = await startFakeProvider({
    replies: [{ silentAfter: 0 }, { chunks: ['one', 'two'], silentAfter: 1 }],
  })
  const url = `${provider.url}/v1/messages`
  await expect(post(url, {}, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout')

  const response = await post(url, {}, { signal: AbortSignal.timeout(100) })
  await expect(response.text()).rejects.toThrow('timeout')
  await expect.poll(() => provider.requests.map(({ hungUp }) => hungUp)).toEqual([true, true])
  expect(provider.requests[1]?.writes).toHaveLength(1)
})

test('stops writing when the client hangs up in the middle', async () => {
  await using provider = await startFakeProvider({ replies: [{ chunks: Array(50).fill('x'), pauseMs: 20 }] })
  const response = await post(`${provider.url}/v1/messages`, {})
  await response.body?.cancel()
  await expect.poll(() => provider.requests[0]?.hungUp).toBe(true)
  const written = provider.requests[0]?.writes.length
  await sleep(60)
  expect(provider.requests[0]?.writes.length).toBe(written)
  expect(written).toBeLessThan(25)
})

test('throttles a body to the given rate', async () => {
  await using provider = await startFakeProvider({ replies: [{ body: 'x'.repeat(1000), bytesPerSecond: 5000 }] })
  const started = performance.now()
  const response = await post(`${provider.url}/v1/messages`, {})
  expect(await response.text()).toHaveLength(1000)
  expect(performance.now() - started).toBeGreaterThan(180)
  expect(provider.requests[0]?.writes).toHaveLength(4)
})

test('streams or not as the request asks', async () => {
  const reply = chatReply({ content: 'hello' })
  await using provider = await startFakeProvider({ replies: [reply, reply] })
  const url = `${provider.url}/v1/chat/completions`
  const json = await post(url, { stream: false })
  const stream = await post(url, { stream: true, stream_options: { include_usage: true } })
  expect(json.headers.get('content-type')).toBe('application/json')
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  const text = await stream.text()
  expect(text.match(/"usage":/g)).toHaveLength(1)
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
})

test('stops with connections open and a reply under way', async () => {
  const provider = await startFakeProvider({
    replies: [chatStream({ content: 'abcdefgh' }, { pieces: 8, pauseMs: 1000 })],
  })
  const response = await post(`${provider.url}/v1/chat/completions`, {})
  await provider.stop()
  await expect(response.text()).rejects.toThrow('terminated')
  await expect(post(`${provider.url}/v1/chat/completions`, {})).rejects.toThrow('fetch failed')
})
