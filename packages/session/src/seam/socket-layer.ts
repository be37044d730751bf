import http from 'node:http'
import http2 from 'node:http2'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Socket } from 'node:net'
import net from 'node:net'
import { concernsSession, judgeHere } from './attribution.ts'
import { guardedConnect } from './guard.ts'
import { connectIsOurs } from './install-seam.ts'
import { type Connect, shared } from './shared.ts'
import { answerSocketRequest } from './socket-request.ts'
import { followUndici, reconnectIdleSockets } from './undici-context.ts'

/** The parts of `@mswjs/interceptors` that layer 2 uses; the registry is internal and feature-detected. */
interface Interceptor {
  apply(): void
  dispose(): void
  on(event: 'request', listener: typeof answerSocketRequest): void
}
interface Emitter {
  earlyOn?(event: 'request', listener: typeof answerSocketRequest): void
  removeListener?(event: 'request', listener: typeof answerSocketRequest): void
}

let interceptor: Interceptor | undefined
let wrapped = false
/** Sockets of node:http agents opened while layer 2 was on. */
const opened = new Set<Socket>()

/** Prepares for clients that do not use the global fetch; called when the first cassette starts. */
export function watchSockets(): void {
  if (wrapped) return
  wrapped = true
  const { addRequest } = http.Agent.prototype as unknown as { addRequest: (...args: unknown[]) => unknown }
  Object.assign(http.Agent.prototype, {
    // In the caller's context, and before the agent picks a kept-alive socket.
    addRequest(this: http.Agent, ...args: unknown[]) {
      if (!concernsSession() || shared.way.getStore() || interceptor) return addRequest.apply(this, args)
      startSocketLayer()
      return (http.Agent.prototype as unknown as { addRequest: typeof addRequest }).addRequest.apply(this, args)
    },
  })
  followUndici(({ scope, way }) => {
    if (concernsSession(scope) && !way) startSocketLayer()
  })
  keepHttp2Apart()
}

/** The interceptor lets `http2.connect` hang; inside its own context it looks away. The guard still judges it. */
function keepHttp2Apart(): void {
  const { connect } = http2
  const apart = (...args: unknown[]) => {
    const call = () => (connect as (...args: unknown[]) => http2.ClientHttp2Session)(...args)
    if (!concernsSession()) return call()
    const context = (globalThis as { __MSW_INTERNAL_CONNECTION_CONTEXT?: { run<T>(work: () => T): T } })
      .__MSW_INTERNAL_CONNECTION_CONTEXT
    return shared.way.run('seen', () => (context ? context.run(call) : call()))
  }
  http2.connect = apart as typeof http2.connect
  syncBuiltinESMExports()
}

/** The seam's part of `net.Socket.prototype.connect`: wakes layer 2, or judges what it let through. */
export function seamConnect(socket: Socket, args: unknown[], original: Connect): Socket {
  const way = shared.way.getStore()
  if (!concernsSession() || way === 'retake') return original.apply(socket, args as Parameters<Connect>)
  if (!way && (!interceptor || connectIsOurs())) {
    startSocketLayer()
    // Start over, now through layer 2.
    return net.Socket.prototype.connect.apply(socket, args as Parameters<Connect>)
  }
  // A socket the interceptor pretends to connect has a `connect` of its own; a real one gets another socket.
  if (Object.hasOwn(socket, 'connect')) return original.apply(socket, args as Parameters<Connect>)
  opened.add(socket)
  socket.once('close', () => opened.delete(socket))
  const session = judgeHere()
  return session ? guardedConnect(session, socket, args, original) : original.apply(socket, args as Parameters<Connect>)
}

/** Starts layer 2, synchronously, in the middle of the request that needs it; again where somebody restored over it. */
function startSocketLayer(): void {
  if (interceptor && !connectIsOurs()) return
  if (interceptor) stopSocketLayer()
  const { HttpRequestInterceptor } = loadInterceptors()
  interceptor = new HttpRequestInterceptor()
  interceptor.apply()
  const emitter = sourceEmitter()
  // In front of an MSW that listens already.
  if (emitter?.earlyOn) emitter.earlyOn('request', answerSocketRequest)
  else interceptor.on('request', answerSocketRequest)
  closeIdleSockets()
}

/** Stops layer 2 when no cassette is active, so that the user's own MSW finds the sockets as without retake. */
export function stopSocketLayer(): void {
  if (!interceptor) return
  sourceEmitter()?.removeListener?.('request', answerSocketRequest)
  interceptor.dispose()
  interceptor = undefined
  closeIdleSockets()
}

function closeIdleSockets(): void {
  reconnectIdleSockets()
  for (const socket of opened) if ((socket as { _httpMessage?: unknown })._httpMessage === null) socket.destroy()
  opened.clear()
}

const sourceEmitter = (): Emitter | undefined =>
  (globalThis as { __MSW_INTERCEPTORS_REGISTRY?: Map<symbol, { emitter?: Emitter }> }).__MSW_INTERCEPTORS_REGISTRY?.get(
    Symbol.for('node-http-request-source'),
  )?.emitter

/** From the user's own MSW 3 where there is one, so that both share one copy; `require` of ESM keeps it synchronous. */
function loadInterceptors(): { HttpRequestInterceptor: new () => Interceptor } {
  const require = createRequire(import.meta.url)
  try {
    const msw = createRequire(`${process.cwd()}/package.json`).resolve('msw/node')
    const theirs = createRequire(msw)('@mswjs/interceptors/http')
    if (typeof theirs.HttpRequestInterceptor === 'function') return theirs
  } catch {
    // No msw, or one whose interceptors work above the sockets.
  }
  return require('@mswjs/interceptors/http')
}
