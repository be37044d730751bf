import dns from 'node:dns'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { json as readJson } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import { installSeam, takeLateErrors } from '@retake/session'
import axios from 'axios'
import OpenAI from 'openai'
import * as undici from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import WebSocketOfWs from 'ws'
import { chatJson } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { aliasHost } from '../support/host-alias.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { chatRequest, postChat } from './sdk-clients.ts'

const captured = globalThis.fetch

/** A server on every address of this machine that counts who comes, whatever they say. */
const server = http.createServer((_, response) => response.end('real'))
const sockets = new Set<net.Socket>()
let arrived = 0
let port = 0
let recorded: Awaited<ReturnType<typeof temporaryCassette>>

beforeAll(async () => {
  server.on('connection', (socket) => {
    arrived++
    sockets.add(socket)
  })
  server.on('upgrade', (_, socket) => socket.destroy())
  server.on('clientError', (_, socket) => socket.destroy())
  server.listen(0, '::')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
  recorded = await temporaryCassette('recorded')
  await using provider = await startFakeProvider({ replies: [chatJson({ content: 'hello' })] })
  await inTest(recorded.path, {}, () => postChat(provider.url))
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  server.close()
  await recorded[Symbol.asyncDispose]()
})

beforeEach(() => {
  // As before a file of its own.
  installSeam()
  arrived = 0
})

afterEach(() => {
  takeLateErrors()
})

/** What a client sees of a connection: the first event of these, and the reason if it has one. */
const firstOf = (emitter: { on(event: string, listener: (error?: unknown) => void): unknown }, ...events: string[]) =>
  new Promise<unknown>((done, fail) => {
    emitter.on('error', fail)
    for (const event of events) emitter.on(event, () => done(event))
  })

const overWebSocket = (url: string) =>
  new Promise<unknown>((done, fail) => {
    const socket = new WebSocket(url)
    socket.onopen = () => done('open')
    socket.onerror = (event) => fail((event as ErrorEvent).error ?? new Error('an error event'))
  })

/** Every way out of Node by TCP. */
const ways: Record<string, (host: string) => Promise<unknown>> = {
  fetch: (host) => fetch(`http://${host}:${port}/x`),
  'a captured fetch': (host) => captured(`http://${host}:${port}/x`),
  'undici.fetch': (host) => undici.fetch(`http://${host}:${port}/x`),
  'undici.request': (host) => undici.request(`http://${host}:${port}/x`),
  'http.get': (host) => firstOf(http.get(`http://${host}:${port}/x`), 'response'),
  'https.get': (host) => firstOf(https.get(`https://${host}:${port}/x`), 'response'),
  axios: (host) => axios.get(`http://${host}:${port}/x`),
  'raw TCP that only connects': (host) => firstOf(net.connect(port, host), 'connect'),
  'raw TCP of a Socket': (host) => firstOf(new net.Socket().connect({ port, host }), 'connect'),
  'raw TCP that writes': (host) => {
    const socket = net.connect({ port, host })
    socket.write('PING\r\n')
    return firstOf(socket, 'connect', 'data', 'close')
  },
  'raw TLS': (host) => firstOf(tls.connect({ port, host, rejectUnauthorized: false }), 'secureConnect'),
  'http2.connect': (host) => firstOf(http2.connect(`http://${host}:${port}`), 'connect'),
  'http2.connect with TLS': (host) => firstOf(http2.connect(`https://${host}:${port}`), 'connect'),
  WebSocket: (host) => overWebSocket(`ws://${host}:${port}/x`),
  'the WebSocket of ws': (host) => firstOf(new WebSocketOfWs(`ws://${host}:${port}/x`), 'open'),
  'a proxy': (host) =>
    undici.request('https://api.example.com/x', { dispatcher: new undici.ProxyAgent(`http://${host}:${port}`) }),
}

/** Those whose request a cassette may answer: it is a miss. All others never get as far as a request. */
const exchanges = new Set([
  'fetch',
  'a captured fetch',
  'undici.fetch',
  'undici.request',
  'http.get',
  'https.get',
  'axios',
])

/** The error of retake among the causes of what a client got. */
const bypassIn = (error: unknown): unknown => {
  for (let cause = error; cause; cause = (cause as Error).cause) {
    if ((cause as { code?: unknown }).code === 'RETAKE_BYPASS') return cause
  }
  return error
}

const replay = (body: () => Promise<unknown>, options: { allow?: string[]; label?: string } = {}) =>
  inTest(recorded.path, { mode: 'replay', allowUnused: true, ...options }, body)

const swallow = (promise: Promise<unknown>): Promise<unknown> => promise.catch(bypassIn)

const name = 'db.shop.example'
const lan = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address
if (!lan) console.warn('guard.test.ts: no address besides loopback here; what is tested with a name is not with one')

describe.each([
  ['a name', name],
  ['an address', lan ?? ''],
])('%s that is not loopback', (_, host) => {
  beforeEach(({ skip }) => skip(host === '', 'this machine has no other address'))

  test.each(Object.entries(ways))('is stopped and remembered: %s', async (way, send) => {
    using _alias = aliasHost(name)
    const lookup = vi.spyOn(dns, 'lookup')
    const { value, result } = await replay(() => swallow(send(host)))
    expect(arrived).toBe(0)
    expect(lookup).not.toHaveBeenCalled()
    lookup.mockRestore()
    if (exchanges.has(way)) {
      expect(result.errors).toMatchObject([{ code: 'RETAKE_CASSETTE_EXHAUSTED', details: { test: 'a test' } }])
      return
    }
    const target = way === 'a proxy' ? 'api.example.com:443' : `${host}:${port}`
    expect(value).toMatchObject(way === 'WebSocket' ? {} : { code: 'RETAKE_BYPASS' })
    expect(result.errors).toMatchObject([{ code: 'RETAKE_BYPASS', details: { target, test: 'a test' } }])
    expect(result.errors[0]?.message).toContain("allow: ['")
  })

  test.each(Object.entries(ways))('is reached without a cassette: %s', async (_, send) => {
    using _alias = aliasHost(name)
    await swallow(send(host))
    await vi.waitUntil(() => arrived > 0)
  })

  test('is stopped on connections that were kept alive', async () => {
    using _alias = aliasHost(name)
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    const dispatcher = new undici.Agent({ connections: 1 })
    const url = `http://${host}:${port}/x`
    const clients = [
      async () => (await fetch(url)).text(),
      async () => (await captured(url)).text(),
      async () => (await axios.get(url, { httpAgent: agent })).data,
      async () => (await undici.request(url)).body.text(),
      async () => (await undici.request(url, { dispatcher })).body.text(),
    ]
    for (const send of clients) expect(await send()).toBe('real')
    arrived = 0
    const { result } = await replay(async () => {
      for (const send of clients) await swallow(send())
    })
    expect(arrived).toBe(0)
    expect(result.errors).toHaveLength(clients.length)
    installSeam()
    for (const send of clients) expect(await send()).toBe('real')
    agent.destroy()
    await dispatcher.close()
  })

  test('is let through by name of its host, and with the port', async () => {
    using _alias = aliasHost(name)
    for (const allow of [[host], [`${host}:${port}`]]) {
      const { value, result } = await replay(async () => (await axios.get(`http://${host}:${port}/x`)).data, { allow })
      expect(value).toBe('real')
      expect(result.errors).toEqual([])
    }
  })

  test.each(Object.entries(ways))('is reached 50 ms after its test by nobody: %s', async (_, send) => {
    using _alias = aliasHost(name)
    let late: Promise<unknown> | undefined
    const first = await replay(
      async () => {
        late = pause(50).then(() => swallow(send(host)))
      },
      { label: 'the hasty test' },
    )
    expect(first.result.errors).toEqual([])
    const next = await replay(async () => await late, { label: 'the next test' })
    expect(next.result).toMatchObject({ kind: 'replayed', errors: [] })
    expect(arrived).toBe(0)
    const errors = takeLateErrors()
    expect(errors).toMatchObject([{ details: { test: 'the hasty test' } }])
    expect(errors[0]?.message).toContain('after it had ended')
  })

  test('is not reached from outside of all tests once one has replayed', async () => {
    using _alias = aliasHost(name)
    await replay(async () => {})
    const error = await swallow(firstOf(net.connect(port, host), 'connect'))
    expect(error).toMatchObject({ code: 'RETAKE_BYPASS' })
    expect(arrived).toBe(0)
    expect(takeLateErrors()).toEqual([error])
    installSeam()
    expect(await firstOf(net.connect(port, host), 'connect')).toBe('connect')
  })
})

describe('a host of a provider', () => {
  const url = 'https://api.openai.com/v1/chat/completions'
  const body = JSON.stringify(chatRequest())
  const headers = { 'content-type': 'application/json' }
  const contentOf = (reply: unknown): unknown => (reply as OpenAI.ChatCompletion).choices[0]?.message.content
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })

  const clients: Record<string, () => Promise<unknown>> = {
    fetch: async () => contentOf(await (await fetch(url, { method: 'POST', body, headers })).json()),
    'a captured fetch': async () => contentOf(await (await captured(url, { method: 'POST', body, headers })).json()),
    openai: async () => contentOf(await new OpenAI({ apiKey: 'k' }).chat.completions.create(chatRequest())),
    axios: async () => contentOf((await axios.post(url, body, { headers })).data),
    'axios with an agent': async () => contentOf((await axios.post(url, body, { headers, httpsAgent: agent })).data),
    'undici.request': async () =>
      contentOf(await (await undici.request(url, { method: 'POST', body, headers })).body.json()),
    'undici with a connector that takes its time': async () => {
      const connect = undici.buildConnector({})
      const dispatcher = new undici.Agent({ connect: (...args) => void setTimeout(() => connect(...args), 5) })
      return contentOf(await (await undici.request(url, { method: 'POST', body, headers, dispatcher })).body.json())
    },
    'node:https with a connection of its own': async () => {
      const request = https.request(url, {
        method: 'POST',
        headers,
        createConnection: (options) => tls.connect(options as tls.ConnectionOptions),
      })
      request.end(body)
      const [response] = await once(request, 'response')
      return contentOf(await readJson(response))
    },
  }

  test.each(Object.entries(clients))('is not asked in a replay: %s', async (_, send) => {
    const lookup = vi.spyOn(dns, 'lookup')
    const { value, result } = await inTest(recorded.path, { mode: 'replay' }, send)
    expect(lookup).not.toHaveBeenCalled()
    lookup.mockRestore()
    expect(value).toBe('hello')
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  })
})

describe('a proxy on this machine', () => {
  const proxy = () => `http://127.0.0.1:${port}`
  const proxied: Record<string, () => Promise<unknown>> = {
    'undici.request, https': () =>
      undici.request('https://api.openai.com/x', { dispatcher: new undici.ProxyAgent(proxy()) }),
    'undici.request, http through a tunnel': () =>
      undici.request('http://api.openai.com:443/x', {
        dispatcher: new undici.ProxyAgent({ uri: proxy(), proxyTunnel: true }),
      }),
    'node:http, CONNECT': () =>
      firstOf(http.request(proxy(), { method: 'CONNECT', path: 'api.openai.com:443' }).end(), 'connect', 'response'),
  }

  test.each(Object.entries(proxied))('is asked for no tunnel to another: %s', async (_, send) => {
    const asked = vi.fn()
    server.on('connect', asked)
    const { value, result } = await replay(() => swallow(send()))
    server.off('connect', asked)
    expect(asked).not.toHaveBeenCalled()
    expect(value).toMatchObject({ code: 'RETAKE_BYPASS' })
    expect(result.errors).toMatchObject([{ details: { target: 'api.openai.com:443' } }])
  })
})
