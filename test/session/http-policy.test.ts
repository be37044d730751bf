import { installSeam } from '@retake/session'
import axios from 'axios'
import { HttpResponse, http as mswHttp } from 'msw'
import { setupServer } from 'msw/node'
import { MockAgent } from 'undici7'
import { expect, test } from 'vitest'
import { chatCall, chatJson } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { aliasHost } from '../support/host-alias.ts'
import { chatLoop } from './chat-loop.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf } from './record-and-replay.ts'
import { chatRequest, openaiAt } from './sdk-clients.ts'
import { host, throughHttp } from './through-http.ts'

// As the setup file of a runner does, before anybody else.
installSeam()

const order = { body: '{"id":"A-77"}' }
const post = (url: string, body: object) => fetch(url, { method: 'POST', body: JSON.stringify(body) })

/** Records `first`, replays `then`. */
const changed = (first: (url: string) => Promise<unknown>, then: (url: string) => Promise<unknown>) =>
  throughHttp(order, (url, cassette) => outcomeOf((cassette.state === 'recording' ? first : then)(url)))

test('another URL or body is a mismatch that names the place and both values', async () => {
  const { replayed } = await changed(
    (url) => post(`${url}/orders`, { id: 'A-77', full: true }),
    (url) => post(`${url}/orders`, { id: 'A-78', full: true }),
  )
  const [error] = replayed.result.errors
  expect(error).toMatchObject({ code: 'RETAKE_CASSETTE_MISMATCH', details: { request: 1, requests: 1, step: 0 } })
  expect(error?.details.differences).toEqual([{ path: 'body.id', kind: 'changed', before: 'A-77', after: 'A-78' }])
  expect(error?.message).toMatch(
    /^the HTTP request "http POST shop\.example\.test:\d+\/orders" is not as recorded: body\.id\n/,
  )

  const other = await changed(
    (url) => fetch(`${url}/orders/A-77`),
    (url) => axios.get(`${url}/orders/A-78`),
  )
  expect(other.replayed.result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_CASSETTE_MISMATCH' }] })
  expect(other.replayed.result.errors[0]?.message).toContain(
    'A-78" is not in the cassette; the closest recorded one is "http GET',
  )
  expect(JSON.stringify(other.replayed.value)).toContain('400')
})

test('one request too many, the same again, and one too few are told apart', async () => {
  const get = (path: string) => async (url: string) => void (await (await fetch(url + path)).text())
  const both = async (url: string) => {
    await get('/a')(url)
    await get('/b')(url)
  }
  const codes = async (first: (url: string) => Promise<unknown>, then: (url: string) => Promise<unknown>) =>
    (await changed(first, then)).replayed.result.errors.map(({ code }) => code)
  expect(await codes(get('/a'), both)).toEqual(['RETAKE_CASSETTE_EXHAUSTED'])
  expect(await codes(get('/a'), async (url) => [await get('/a')(url), await get('/a')(url)])).toEqual([
    'RETAKE_STEP_USED',
  ])
  const unused = await changed(both, get('/b'))
  expect(unused.replayed.result.errors).toMatchObject([{ code: 'RETAKE_UNUSED_STEPS', details: { steps: [0] } }])
  expect(unused.replayed.result.errors[0]?.message).toMatch(/recorded HTTP requests not made: http GET .*\/a\n/)
})

test('a cassette without such a request refuses it, whichever client makes it', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: () => chatJson({ content: 'Hello' }) })
  const ask = () => openaiAt(provider.url).chat.completions.create(chatRequest())
  await inTest(file.path, {}, ask)
  for (const send of [(url: string) => fetch(url), (url: string) => axios.get(url)]) {
    const { result } = await inTest(file.path, {}, async () => {
      await ask()
      await outcomeOf(send(`http://${host}/orders`))
    })
    expect(result.errors).toMatchObject([{ code: 'RETAKE_CASSETTE_EXHAUSTED', details: { requests: 0 } }])
  }
})

test("'block' refuses by name, and nothing is sent", async () => {
  for (const send of [(url: string) => fetch(url), (url: string) => axios.get(url)]) {
    const { recorded, requests } = await throughHttp(order, (url) => outcomeOf(send(`${url}/a?key=1`)), {
      http: 'block',
    })
    expect(recorded.result).toMatchObject({ kind: 'failed', errors: [{ code: 'RETAKE_UNSUPPORTED' }] })
    expect(recorded.result.errors[0]?.message).toMatch(
      /^an HTTP request was refused, since `http` is 'block': http:.*\/a\n/,
    )
    expect(requests).toEqual([])
  }
})

test.each<[string, string, (url: string) => object]>([
  ["http: 'allow'", host, () => ({ http: 'allow' })],
  ['allow of its host', host, () => ({ allow: [host] })],
  ['allow of a pattern that names a path', host, () => ({ allow: [/\/orders$/] })],
  ['a telemetry host', 'o1.ingest.sentry.io', () => ({})],
  ['a loopback name', 'shop.localhost', () => ({})],
])('%s is left alone in both, and may connect', async (_, name, options) => {
  using _alias = aliasHost(name)
  await using file = await temporaryCassette()
  await using server = await startFakeProvider({ replies: () => chatJson({ content: 'Hello' }), other: order })
  const url = `http://${name}:${server.port}/orders`
  const agent = async () => {
    await openaiAt(server.url).chat.completions.create(chatRequest())
    return [await (await fetch(url)).json(), (await axios.get(url)).data]
  }
  const runs = [await inTest(file.path, options(url), agent), await inTest(file.path, options(url), agent)]
  for (const { value, result } of runs) {
    expect(value).toEqual([{ id: 'A-77' }, { id: 'A-77' }])
    expect(result.errors).toEqual([])
  }
  expect(server.requests.filter(({ url }) => url === '/orders')).toHaveLength(4)
})

test('inside a wrapped tool nothing is recorded, and in the replay it does not run', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({
    replies: (request) =>
      chatJson(
        request.body.messages.length > 1
          ? { content: 'late' }
          : { tool_calls: [chatCall('call_1', 'lookup', { id: 'A-77' })] },
      ),
    other: order,
  })
  let runs = 0
  using _ = aliasHost(host)
  const agent = (cassette: Parameters<Parameters<typeof inTest>[2]>[0]) =>
    chatLoop(
      provider.url,
      cassette.tools({
        lookup: async () => {
          runs++
          const { data } = await axios.get(`http://${host}:${provider.port}/a`)
          return { ...data, ...(await (await fetch(`http://${host}:${provider.port}/b`)).json()) }
        },
      }),
    )
  const recorded = await inTest(file.path, {}, agent)
  expect(recorded.result.errors).toEqual([])
  expect(recorded.cassette.trace.steps.map(({ type }) => type).filter((type) => type === 'tool_call')).toHaveLength(1)
  const replayed = await inTest(file.path, {}, agent)
  expect(replayed.value).toBe(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(runs).toBe(1)
})

test('a key in a URL is not written, and redact lets the request be recorded', async () => {
  const send = (url: string) =>
    outcomeOf(fetch(`${url}/weather?appid=1&api_key=0f3c9a7be2d14c58`).then((response) => response.json()))
  const refused = await throughHttp(order, send)
  expect(refused.recorded.result).toMatchObject({
    kind: 'failed',
    errors: [{ code: 'RETAKE_SECRET_FOUND', details: { where: 'step 0 payload.toolInput.url' } }],
  })
  expect(refused.text).toBe('')
  const redacted = await throughHttp(order, send, { redact: [/(?<=api_key=)[^&]+/] })
  expect(redacted.text).toContain('api_key=[redacted]')
  expect(redacted.replayed).toMatchObject({
    value: { value: { id: 'A-77' } },
    result: { kind: 'replayed', errors: [] },
  })
})

test('redact reaches into bodies, laid out or not, and into the name of the step', async () => {
  const other = { body: '{\n  "token": "t-123456",\n  "id": "A-77"\n}' }
  const send = async (url: string) => (await post(`${url}/users/ann@acme.dev`, { card: '4111', id: 1 })).json()
  const { text, replayed } = await throughHttp(other, send, {
    redact: ['toolInput.body.card', 'result.body.token', /\w+@acme\.dev/],
  })
  expect(text).not.toMatch(/4111|t-123456|ann@/)
  expect(replayed).toMatchObject({
    value: { token: '[redacted]', id: 'A-77' },
    result: { kind: 'replayed', errors: [] },
  })
})

test('mocks of the user answer as without retake, and are not recorded', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: () => chatJson({ content: 'Hello' }), other: order })
  let asked = 0
  const server = setupServer(
    mswHttp.get('http://mocked.example.test/orders', () => {
      asked++
      return HttpResponse.json({ id: 'mocked' })
    }),
  )
  const mock = new MockAgent()
  mock.get('https://agent.example.test').intercept({ path: '/orders' }).reply(200, { id: 'agent' }).persist()
  server.listen({ onUnhandledFrame: 'bypass' })
  try {
    using _ = aliasHost(host)
    const agent = async () => {
      await openaiAt(provider.url).chat.completions.create(chatRequest())
      const dispatched = { dispatcher: mock } as RequestInit
      return [
        await (await fetch('http://mocked.example.test/orders')).json(),
        (await axios.get('http://mocked.example.test/orders')).data,
        await (await fetch('https://agent.example.test/orders', dispatched)).json(),
        await (await fetch(`http://${host}:${provider.port}/real`)).json(),
        (await axios.get(`http://${host}:${provider.port}/real`)).data,
      ]
    }
    const expected = [{ id: 'mocked' }, { id: 'mocked' }, { id: 'agent' }, { id: 'A-77' }, { id: 'A-77' }]
    const recorded = await inTest(file.path, {}, agent)
    expect(recorded).toMatchObject({ value: expected, result: { kind: 'recorded', errors: [] } })
    const names = recorded.cassette.trace.steps.flatMap(({ type, payload }) => (type === 'tool_call' ? [payload] : []))
    expect(names).toHaveLength(2)
    const sent = provider.requests.length
    const replayed = await inTest(file.path, {}, agent)
    expect(replayed).toMatchObject({ value: expected, result: { kind: 'replayed', errors: [] } })
    expect([asked, provider.requests.length]).toEqual([4, sent])
    const unknown = await inTest(file.path, { allowUnused: true }, () =>
      outcomeOf(fetch(`http://${host}:${provider.port}/other`)),
    )
    expect(unknown.result.errors).toMatchObject([{ code: 'RETAKE_CASSETTE_MISMATCH' }])
    expect(provider.requests).toHaveLength(sent)
  } finally {
    server.close()
    await mock.close()
  }
})
