import { describeRoute, type Endpoint, findWire } from '@retake/providers'
import { readHttpRequest } from '../http/http-request.ts'
import { concernsHttp, concernsSession } from './attribution.ts'
import { allowOrigin, isPreflight, isReplayedPreflight, preflightAnswer } from './cors.ts'
import { findBypass } from './guard.ts'
import { decide } from './intercept.ts'
import { ownWire, recognise } from './model-request.ts'
import { shared } from './shared.ts'

/** A request as `@mswjs/interceptors` hands it to a listener. */
export interface SocketRequestEvent {
  request: Request
  controller: { respondWith(response: Response): unknown; errorWith(error: unknown): unknown }
  stopImmediatePropagation(): void
}

/** Headers of one connection, which say nothing about the next. */
const hopByHop = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'expect', 'upgrade']

/** Layer 2's listener. What is not for a model stays with the user's MSW, or goes on to the guard. */
export function answerSocketRequest(event: SocketRequestEvent): Promise<unknown> | undefined {
  // Our own call is no business of a user's MSW.
  if (shared.way.getStore() === 'retake') {
    event.stopImmediatePropagation()
    return undefined
  }
  if (event.request.method === 'CONNECT') stopTunnel(event)
  if (!shared.way.getStore() && isReplayedPreflight(event.request)) {
    event.stopImmediatePropagation()
    return Promise.resolve(event.controller.respondWith(preflightAnswer(event.request)))
  }
  if (!isForProvider(event) && (shared.way.getStore() || !isExchange(event.request))) return undefined
  // Due before the body can be read: the path decides here, the shape later.
  event.stopImmediatePropagation()
  return respond(event)
}

/**
 * A tunnel leads further than the connection to its proxy, which may be on this machine. It cannot be answered, so that
 * what the cassette has is out of reach behind one, too.
 */
function stopTunnel(event: SocketRequestEvent): void {
  const { host, port } = /^(?<host>.*):(?<port>\d+)$/.exec(event.request.url)?.groups ?? {}
  const error = findBypass({ host, port: Number(port) })
  if (!error) return
  event.stopImmediatePropagation()
  event.controller.errorWith(error)
}

/** A request to an endpoint of a provider, which no mock of the user answers. False for what layer 1 let pass. */
export const isForProvider = ({ request }: SocketRequestEvent): boolean =>
  !shared.way.getStore() && !isPreflight(request) && isRoute(request)

function isRoute({ method, url }: Request): boolean {
  if (!concernsSession()) return false
  const parsed = new URL(url)
  return Boolean(ownWire(parsed) ?? findWire(parsed) ?? describeRoute(method, parsed))
}

/** One question and one answer that a session looks at, and no tunnel. */
const isExchange = (request: Request): boolean =>
  request.method !== 'CONNECT' &&
  !request.headers.has('upgrade') &&
  !isPreflight(request) &&
  concernsHttp(new URL(request.url))

/** False for a request that retake leaves alone after all. */
export async function respond({ request, controller }: SocketRequestEvent): Promise<boolean> {
  // A copy by entries: one made from the Headers object would lose them on the wire.
  const headers = new Headers([...request.headers].filter(([name]) => !hopByHop.includes(name)))
  const recognised = await recognise(request, undefined)
  if (recognised.kind === 'model') recognised.request.headers = headers
  // The client follows by itself.
  const read = (url: URL, endpoint?: Endpoint) =>
    readHttpRequest(request, { headers, redirect: 'manual' }, url, shared.originalFetch, endpoint)
  try {
    const response = await decide(recognised, read)
    if (!response) return false
    const answered = new Headers([...response.headers])
    // The body is decoded; chunked, so that a cut is not read as the end and the socket is used again.
    answered.delete('content-encoding')
    answered.delete('content-length')
    if (response.body) answered.set('transfer-encoding', 'chunked')
    allowOrigin(answered, request)
    const { status, statusText } = response
    controller.respondWith(new Response(response.body, { status, statusText, headers: answered }))
  } catch (error) {
    if (!request.signal.aborted) controller.errorWith(connectionError(error, request))
  }
  return true
}

/**
 * The failure of our own call in the words of the client. undici crashes on ECONNRESET of a socket that had answered
 * before; its own code for the same thing is safe, but no other client knows it.
 */
function connectionError(error: unknown, request: Request): unknown {
  const cause = (error as { cause?: unknown }).cause ?? error
  const byUndici =
    /^(node|undici)$/.test(request.headers.get('user-agent') ?? '') || request.headers.has('sec-fetch-mode')
  if (byUndici && (cause as { code?: unknown }).code === 'ECONNRESET') {
    return Object.assign(new Error('other side closed', { cause }), { code: 'UND_ERR_SOCKET' })
  }
  if (!byUndici && (cause as { code?: unknown }).code === 'UND_ERR_SOCKET') {
    return Object.assign(new Error('socket hang up', { cause }), { code: 'ECONNRESET' })
  }
  return cause
}
