import dc from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { currentScope, enterScope, type TestScope } from '../scope.ts'
import { shared, type Way } from './shared.ts'

/**
 * undici, built in or from npm, writes a pooled request in whatever async context frees the socket. The caller's is
 * remembered when the request is made and restored right before it is written.
 */
interface Caller {
  scope: TestScope | undefined
  way: Way | undefined
}

const callers = new WeakMap<object, Caller>()
const pooled = new Map<Socket, { epoch: number; request: object | undefined }>()
const socketOf = new WeakMap<object, Socket>()
let epoch = 0
let watching = false
let following = false

/** Keeps an eye on undici's connections, so that idle ones can be closed. Set up before any is opened. */
export function watchUndici(): void {
  if (watching) return
  watching = true
  dc.subscribe('undici:client:connected', (message) => {
    const { socket } = message as { socket: Socket }
    // Our own connections belong to no epoch: they are closed after use.
    pooled.set(socket, { epoch: shared.way.getStore() === 'retake' ? -1 : epoch, request: undefined })
    socket.once('close', () => pooled.delete(socket))
  })
  dc.subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as { request: object; socket: Socket }
    const state = pooled.get(socket)
    if (!state) return
    state.request = request
    socketOf.set(request, socket)
  })
  dc.subscribe('undici:request:trailers', (message) => release(message as { request: object }))
  dc.subscribe('undici:request:error', (message) => release(message as { request: object }))
}

/** Follows undici's requests from now on; `onRequest` runs for each, in its caller's context. */
export function followUndici(onRequest: (caller: Caller) => void): void {
  if (following) return
  following = true
  dc.subscribe('undici:request:create', (message) => {
    const { request } = message as { request: object }
    const caller = inCallersContext(request, () => ({ scope: currentScope(), way: shared.way.getStore() }))
    callers.set(request, caller)
    onRequest(caller)
  })
  dc.subscribe('undici:client:sendHeaders', (message) => {
    const caller = callers.get((message as { request: object }).request)
    if (!caller) return
    enterScope(caller.scope)
    shared.way.enterWith(caller.way as Way)
  })
}

/**
 * A full pool creates its requests later, in another test's context; the handler of `undici.request` is an AsyncResource
 * that still knows the caller's.
 */
function inCallersContext<T>(request: object, read: () => T): T {
  const symbol = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'handler')
  const handler = symbol && (request as Record<symbol, { runInAsyncScope?: (read: () => T) => T } | undefined>)[symbol]
  return handler?.runInAsyncScope ? handler.runInAsyncScope(read) : read()
}

function release({ request }: { request: object }): void {
  const socket = socketOf.get(request)
  const state = socket && pooled.get(socket)
  if (!state || state.request !== request) return
  state.request = undefined
  // In a file with cassettes no connection outlives the time between two of them.
  if (state.epoch !== epoch || (shared.hooks && shared.active.size === 0)) reconnect(socket)
}

/**
 * The interceptor, retake's or that of a user's MSW, judges a connection by the moment it was opened, and the guard only
 * sees it opened. So idle ones are closed when the first cassette starts and at every start and stop of layer 2, and
 * busy ones when they are done. With this code undici opens a new one and loses no request.
 */
export function reconnectIdleSockets(): void {
  epoch++
  for (const [socket, { request }] of pooled) if (!request) reconnect(socket)
}

const reconnect = (socket: Socket) =>
  socket.destroy(Object.assign(new Error('[retake] reconnect'), { code: 'UND_ERR_INFO' }))
