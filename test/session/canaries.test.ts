/**
 * What retake relies on without its being documented. When an upgrade of Node, undici or @mswjs/interceptors changes one
 * of these, the test here says which, before the rest fails for no visible reason.
 */
import dc from 'node:diagnostics_channel'
import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { HttpRequestInterceptor } from '@mswjs/interceptors/http'
import * as undici from 'undici'
import * as undici7 from 'undici7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let server: http.Server
let url: string
beforeAll(async () => {
  server = http.createServer((request, response) => request.resume().on('end', () => response.end('real')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

type Listener = (event: { request: Request }) => void

/** The internals of `@mswjs/interceptors` by their names. */
interface Internals {
  __MSW_INTERCEPTORS_REGISTRY: {
    get(name: symbol): {
      readyState: string
      apply(owner: object): void
      dispose(owner: object): void
      emitter: Record<'on' | 'earlyOn' | 'removeListener', (event: 'request', listener: Listener) => void>
      subscriptions: (() => void)[]
      setup(): void
    }
  }
  __MSW_INTERNAL_CONNECTION_CONTEXT: { run<T>(work: () => T): T }
}

describe('@mswjs/interceptors', () => {
  const internals = globalThis as unknown as Internals
  const registered = (name: string) => internals.__MSW_INTERCEPTORS_REGISTRY.get(Symbol.for(name))
  const source = () => registered('node-http-request-source')
  const patches = () => registered('socket-interceptor')
  let interceptor: HttpRequestInterceptor
  const native = net.Socket.prototype.connect
  beforeAll(() => {
    interceptor = new HttpRequestInterceptor()
    interceptor.apply()
  })
  afterAll(() => interceptor.dispose())

  test('patches net.Socket.prototype.connect and http.Agent.prototype.addRequest', () => {
    expect(net.Socket.prototype.connect).not.toBe(native)
    expect(http.Agent.prototype).toHaveProperty('addRequest', expect.any(Function))
  })

  test('registers its source of requests, which is applied for owners and can be listened to first', async () => {
    const [one, two] = [{}, {}]
    const order: string[] = []
    source().apply(one)
    source().apply(two)
    source().dispose(one)
    expect(source().readyState).toBe('ACTIVE')
    const late = () => void order.push('late')
    const early = () => void order.push('early')
    source().emitter.on('request', late)
    source().emitter.earlyOn('request', early)
    await (await fetch(url)).text()
    source().emitter.removeListener('request', late)
    source().emitter.removeListener('request', early)
    source().dispose(two)
    expect(order).toEqual(['early', 'late'])
  })

  test('registers its patches of sockets, which can be undone and set up again', () => {
    expect(patches().subscriptions.length).toBeGreaterThan(0)
    expect(patches().setup).toBeTypeOf('function')
    for (let undo = patches().subscriptions.pop(); undo; undo = patches().subscriptions.pop()) undo()
    expect(net.Socket.prototype.connect).toBe(native)
    patches().setup()
    expect(net.Socket.prototype.connect).not.toBe(native)
  })

  test('a socket that it pretends to connect has a `connect` of its own, a real one has not', async () => {
    const seen: [boolean, string][] = []
    const { connect } = net.Socket.prototype
    const watched = (socket: Socket, kind: string) => seen.push([Object.hasOwn(socket, 'connect'), kind])
    dc.subscribe('undici:client:connected', connected)
    function connected(message: unknown) {
      watched((message as { socket: Socket }).socket, 'pretended')
    }
    await (await undici.request(url, { dispatcher: new undici.Agent() })).body.text()
    dc.unsubscribe('undici:client:connected', connected)
    watched(new net.Socket(), 'real')
    expect(connect).toBe(net.Socket.prototype.connect)
    expect(seen).toEqual([
      [true, 'pretended'],
      [false, 'real'],
    ])
  })

  test('looks away from one connection in its internal context', async () => {
    const { __MSW_INTERNAL_CONNECTION_CONTEXT: context } = internals
    const seen: string[] = []
    const listen = ({ request }: { request: Request }) => void seen.push(request.url)
    source().emitter.on('request', listen)
    const dispatcher = new undici.Agent()
    await context.run(async () => (await undici.request(`${url}apart`, { dispatcher })).body.text())
    await (await undici.request(`${url}seen`, { dispatcher: new undici.Agent() })).body.text()
    source().emitter.removeListener('request', listen)
    expect(seen).toEqual([`${url}seen`])
  })
})

describe.each([
  ['the undici of Node', (to: string) => fetch(to).then((response) => response.text())],
  ['undici 8', async (to: string) => (await undici.request(to, { dispatcher: new undici.Agent() })).body.text()],
  ['undici 7', async (to: string) => (await undici7.request(to, { dispatcher: new undici7.Agent() })).body.text()],
])('%s', (name, send) => {
  const channels = [
    'undici:request:create',
    'undici:client:beforeConnect',
    'undici:client:connected',
    'undici:client:sendHeaders',
    'undici:request:bodySent',
    'undici:request:trailers',
  ]

  test('announces a request and its connection, in this order', async () => {
    const messages: [string, Record<string, unknown>][] = []
    const listeners = channels.map(
      (channel) => (message: unknown) => void messages.push([channel, message as Record<string, unknown>]),
    )
    for (const [n, channel] of channels.entries()) dc.subscribe(channel, listeners[n] as () => void)
    // A host of its own, so that no connection is there.
    await send(url.replace('127.0.0.1', 'localhost'))
    for (const [n, channel] of channels.entries()) dc.unsubscribe(channel, listeners[n] as () => void)
    expect(messages.map(([channel]) => channel)).toEqual(channels)
    const of = (channel: string) => messages.find(([name]) => name === channel)?.[1] ?? {}
    expect(of('undici:client:sendHeaders').socket).toBeInstanceOf(net.Socket)
    expect(of('undici:client:sendHeaders').socket).toBe(of('undici:client:connected').socket)
    for (const channel of channels.filter((channel) => !channel.includes('onnect'))) {
      expect(of(channel).request).toBe(of('undici:request:create').request)
    }
  })

  test.runIf(name !== 'the undici of Node')(
    'keeps the context of undici.request in the handler of a request',
    async () => {
      let handler: { runInAsyncScope?: unknown } | undefined
      const created = (message: unknown) => {
        const { request } = message as { request: Record<symbol, never> }
        const symbol = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'handler')
        handler = symbol && request[symbol]
      }
      dc.subscribe('undici:request:create', created)
      await send(url)
      dc.unsubscribe('undici:request:create', created)
      expect(handler?.runInAsyncScope).toBeTypeOf('function')
    },
  )

  test('opens a new connection for one that ends with UND_ERR_INFO, and loses no request', async () => {
    const sockets = new Set<Socket>()
    const connected = (message: unknown) => void sockets.add((message as { socket: Socket }).socket)
    dc.subscribe('undici:client:connected', connected)
    await send(url)
    for (const socket of sockets) socket.destroy(Object.assign(new Error('reconnect'), { code: 'UND_ERR_INFO' }))
    expect(await send(url)).toBe('real')
    dc.unsubscribe('undici:client:connected', connected)
  })
})

describe('node:http', () => {
  test('an agent takes a request in addRequest, and marks a socket of its pool as free', async () => {
    const agent = new http.Agent({ keepAlive: true })
    const agents = http.Agent.prototype as unknown as { addRequest(...args: unknown[]): unknown }
    const { addRequest } = agents
    let asked = 0
    agents.addRequest = function (...args) {
      asked++
      return addRequest.apply(this, args)
    }
    const request = http.get(url, { agent })
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    const { socket } = response
    expect((socket as { _httpMessage?: unknown })._httpMessage).toBe(request)
    response.resume()
    await once(agent, 'free')
    agents.addRequest = addRequest
    expect(asked).toBe(1)
    expect((socket as { _httpMessage?: unknown })._httpMessage).toBeNull()
    agent.destroy()
  })
})
