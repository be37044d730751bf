import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { upstreamOf } from './upstreams.ts'

/** A way into a session for agents in other processes: a server on loopback that stands for the providers. */
export interface Door {
  /**
   * The base URL to give to a client of this provider.
   * @throws ConfigError for a provider that is not known
   */
  baseURL(provider: string): Promise<string>
  close(): void
}

/** `send` is the `fetch` of the session. Nothing listens before the first base URL is asked for. */
export function createDoor(send: typeof fetch): Door {
  /** By the first segment of the path. */
  const upstreams = new Map<string, string>()
  let listening: Promise<Server> | undefined

  async function listen(): Promise<Server> {
    const { createServer } = await import('node:http')
    const server = createServer((request, response) => void pass(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    // A door that nobody uses keeps no process alive.
    return server.unref()
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = targetOf(request.url ?? '')
    if (target === undefined) {
      response
        .writeHead(404)
        .end(`[retake] the base URL of a session ends with one of /${[...upstreams.keys()].join(', /')}\n`)
      return
    }
    const hangUp = new AbortController()
    response.on('close', () => hangUp.abort())
    try {
      const answer = await send(target, await toInit(request, hangUp.signal))
      response.writeHead(answer.status, answer.statusText, toHeaders(answer))
      response.flushHeaders()
      if (answer.body)
        await pipeline(Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream), response)
      else response.end()
    } catch {
      // What broke between the session and the provider breaks here too.
      response.destroy()
    }
  }

  function targetOf(path: string): string | undefined {
    const [, name = '', rest = ''] = /^\/([^/?]+)(.*)$/.exec(path) ?? []
    const upstream = upstreams.get(name)
    return upstream && upstream + rest
  }

  return {
    async baseURL(provider) {
      const upstream = upstreamOf(provider)
      const name = /^[a-z]+$/.test(provider) ? provider : nameOf(upstream)
      upstreams.set(name, upstream)
      listening ??= listen()
      const { port } = (await listening).address() as AddressInfo
      return `http://127.0.0.1:${port}/${name}`
    },
    close() {
      void listening?.then((server) => server.close().closeAllConnections())
    },
  }

  function nameOf(upstream: string): string {
    const known = [...upstreams].find(([, url]) => url === upstream)
    return known?.[0] ?? `upstream-${upstreams.size + 1}`
  }
}

/** What belongs to one connection, and what `fetch` says itself. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

async function toInit(request: IncomingMessage, signal: AbortSignal): Promise<RequestInit> {
  const { method = 'GET', headersDistinct } = request
  const headers = Object.entries(headersDistinct)
    .filter(([name]) => !ownHeaders.has(name))
    .flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value]))
  const init: RequestInit = { method, headers, signal, redirect: 'manual' }
  return method === 'GET' || method === 'HEAD' ? init : { ...init, body: await buffer(request) }
}

/** The body that `fetch` hands out is decoded. */
const toHeaders = ({ headers }: Response): [string, string][] =>
  [...headers].filter(([name]) => !ownHeaders.has(name) && name !== 'content-encoding')
