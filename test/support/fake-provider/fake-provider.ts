import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { FakeReply, ReceivedRequest, Scripted } from './reply.ts'
import { sendReply } from './send-reply.ts'

export interface FakeProviderOptions {
  /** Answers to model requests: in order of arrival, or made from each request. */
  replies?: readonly Scripted[] | Extract<Scripted, (...args: never[]) => unknown>
  /** Answers everything that is no model request. Without it: 404. */
  other?: Scripted
  /** [a free one] */
  port?: number
  /** Speaks HTTPS, with this key and certificate. */
  tls?: { key: string; cert: string } | undefined
}

export interface FakeProvider extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`, or `https:`, without a path. */
  readonly url: string
  readonly port: number
  /** In order of arrival; entries go on changing while their reply is being written. */
  readonly requests: readonly ReceivedRequest[]
  /** Closes the server and every open connection. */
  stop(): Promise<void>
}

const isModelPath = (method: string, url: string): boolean =>
  method === 'POST' &&
  /\/(chat\/completions|responses|v1\/messages|api\/chat|ai\/language-model|[^/]+:((g|streamG)enerateContent|(r|streamR)awPredict)|model\/[^/]+\/[a-z-]+)$/.test(
    new URL(url, 'http://localhost').pathname,
  )

// 400 and x-should-retry keep the SDKs from trying again: a test with too few replies fails at once.
const refusal = (status: number, message: string): FakeReply => ({
  status,
  headers: { 'x-should-retry': 'false' },
  body: JSON.stringify({ type: 'error', error: { type: 'fake_provider', message, param: null, code: null } }),
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const receive = async (request: IncomingMessage): Promise<ReceivedRequest> => {
  const receivedAt = performance.now()
  const text = await readText(request)
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
    text,
    body: parsed(text),
    receivedAt,
    writes: [],
    hungUp: false,
  }
}

/** A model provider on loopback. It speaks only the bytes it was given, and remembers every request. */
export const startFakeProvider = async (options: FakeProviderOptions = {}): Promise<FakeProvider> => {
  const requests: ReceivedRequest[] = []
  const { replies = [], other } = options
  let answered = 0

  const scripted = (received: ReceivedRequest): Scripted => {
    if (!isModelPath(received.method, received.url))
      return other ?? refusal(404, `no reply for ${received.method} ${received.url}`)
    if (typeof replies === 'function') return replies
    const reply = replies[answered]
    answered += 1
    return reply ?? refusal(400, `request ${answered} came, ${replies.length} replies are scripted`)
  }

  const receiveAndReply = async (request: IncomingMessage, response: ServerResponse) => {
    let received: ReceivedRequest
    try {
      received = await receive(request)
    } catch {
      return // the client hung up while sending
    }
    requests.push(received)
    let cut = false
    response.on('close', () => {
      received.hungUp = !response.writableFinished && !cut
    })
    try {
      const script = scripted(received)
      const reply = typeof script === 'function' ? await script(received) : script
      cut = reply.cutAfter !== undefined
      await sendReply(reply, response, received)
    } catch (error) {
      if (!response.headersSent) response.writeHead(500, { 'x-should-retry': 'false' })
      response.end(String(error))
    }
  }

  const { tls } = options
  const server = tls ? createTlsServer(tls, receiveAndReply) : createServer(receiveAndReply)
  // Longer than a test file runs: a connection that a client keeps is still there when it is used again.
  server.keepAliveTimeout = 60_000
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, requests, stop, [Symbol.asyncDispose]: stop }
}
