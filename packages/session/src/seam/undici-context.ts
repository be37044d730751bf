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
let started = false

const callerHere = (): Caller => ({ scope: currentScope(), way: shared.way.getStore() })

function enter({ scope, way }: Caller): void {
  enterScope(scope)
  shared.way.enterWith(way as Way)
}

interface Follower {
  /** A request was made; runs in its caller's context. */
  onRequest(caller: Caller): void
  /** A connection is about to be opened. */
  onConnect(): void
}

/** Follows undici from now on. */
export function followUndici({ onRequest, onConnect }: Follower): void {
  if (started) return
  started = true
  dc.subscribe('undici:request:create', (message) => {
    const { request } = message as { request: object }
    const caller = inCallersContext(request, callerHere)
    callers.set(request, caller)
    onRequest(caller)
  })
  let interrupted: { request: object; caller: Caller } | undefined
  dc.subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as { request: object; socket: Socket }
    const caller = callers.get(request)
    if (!caller) return
    // A kept-alive socket, which nobody has to open; those that an interceptor pretends to connect have a `connect`.
    if (typeof caller.way === 'object' && !Object.hasOwn(socket, 'connect')) caller.way.live = true
    interrupted = { request, caller: callerHere() }
    enter(caller)
  })
  // Text and bytes are written at once, and often in the middle of the next caller's call: that one goes on as itself.
  dc.subscribe('undici:request:bodySent', (message) => {
    if (interrupted?.request === (message as { request: object }).request) enter(interrupted.caller)
    interrupted = undefined
  })
  dc.subscribe('undici:client:beforeConnect', onConnect)
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
