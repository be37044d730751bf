import http from 'node:http'
import http2 from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'
import type { Socket } from 'node:net'
import net from 'node:net'
import { concernsSession, judgeHere, sessionHere } from './attribution.ts'
import { failedConnect, guardedConnect, http2Remedy } from './guard.ts'
import { connectIsOurs } from './install-seam.ts'
import { listenBeforeMsw2 } from './msw2.ts'
import { connectApart } from './own-call.ts'
import { findSource, patchAgain, type RequestSource, registeredSource } from './request-source.ts'
import { type Connect, type SeamSession, shared } from './shared.ts'
import { answerSocketRequest } from './socket-request.ts'
import { followUndici } from './undici-context.ts'
import { reconnectIdleSockets } from './undici-sockets.ts'

/** Layer 2, while it is on. */
let source: RequestSource | undefined
const owner = {}
let wrapped = false
/** Sockets that were opened while layer 2 was on; those of node:http agents may lie in their pools. */
const opened = new Set<Socket>()

type AddRequest = (this: http.Agent, ...args: unknown[]) => unknown
/** The method that every agent of node:http takes a request with; Node does not document it. */
const agents = http.Agent.prototype as unknown as { addRequest: AddRequest }
let ownAddRequest: AddRequest | undefined

/** Prepares for clients that do not use the global fetch; called when a cassette starts. */
export function watchSockets(): void {
  // An MSW that was there before restores over this one when it closes.
  if (agents.addRequest !== ownAddRequest) wrapAddRequest()
  if (wrapped) return
  wrapped = true
  followUndici(({ scope, way }) => {
    if (concernsSession(scope) && !way) startSocketLayer()
  })
  keepHttp2Apart()
}

let restarting = false
function startOver<T>(work: () => T): T {
  restarting = true
  try {
    return work()
  } finally {
    restarting = false
  }
}

function wrapAddRequest(): void {
  const { addRequest } = agents
  // In the caller's context, and before the agent picks a kept-alive socket.
  ownAddRequest = function (...args) {
    if (!concernsSession() || shared.way.getStore() || restarting) return addRequest.apply(this, args)
    const running = source
    startSocketLayer()
    // The method of the layer that has just been started closes what it finds in the pool.
    return source === running ? addRequest.apply(this, args) : startOver(() => agents.addRequest.apply(this, args))
  }
  agents.addRequest = ownAddRequest
}

/** The interceptor lets `http2.connect` hang; inside its own context it looks away. The guard still judges it. */
function keepHttp2Apart(): void {
  const { connect } = http2
  const apart = (...args: unknown[]) => {
    const call = () => (connect as (...args: unknown[]) => http2.ClientHttp2Session)(...args)
    if (!concernsSession()) return call()
    const session = sessionHere()
    if (session && !session.replaying) noticeHttp2(session, args[0])
    return shared.way.run('http2', () => connectApart(call))
  }
  http2.connect = apart as typeof http2.connect
  syncBuiltinESMExports()
}

function noticeHttp2(session: SeamSession, authority: unknown): void {
  const url = URL.canParse(String(authority)) ? new URL(String(authority)) : undefined
  if (!url || session.allows(url)) return
  session.notice(`what is sent to ${url.host} is not recorded: ${http2Remedy}, or \`allow: ['${url.host}']\`.`)
}

/** The seam's part of `net.Socket.prototype.connect`: wakes layer 2, or judges what it let through. */
export function seamConnect(socket: Socket, args: unknown[], original: Connect): Socket {
  const way = shared.way.getStore()
  if (!concernsSession() || way === 'retake') return original.apply(socket, args as Parameters<Connect>)
  if (!way && (!source || connectIsOurs()) && !Object.hasOwn(socket, 'connect')) {
    startSocketLayer()
    // Start over, now through layer 2.
    if (!connectIsOurs()) return net.Socket.prototype.connect.apply(socket, args as Parameters<Connect>)
  }
  opened.add(socket)
  socket.once('close', () => opened.delete(socket))
  // A socket the interceptor pretends to connect has a `connect` of its own; a real one gets another socket.
  if (Object.hasOwn(socket, 'connect')) return original.apply(socket, args as Parameters<Connect>)
  if (typeof way === 'object') {
    way.live = true
    if (!way.open) return failedConnect(socket, new Error('nothing may be sent'), original)
  }
  const session = judgeHere()
  return session ? guardedConnect(session, socket, args, original) : original.apply(socket, args as Parameters<Connect>)
}

/** Starts layer 2, synchronously, in the middle of the request that needs it; again where another library undid it. */
function startSocketLayer(): void {
  listenBeforeMsw2()
  if (source && source === registeredSource() && !connectIsOurs()) {
    // An MSW that began to listen in the middle of a test knows whose request it is by the socket.
    if (http.request !== latestRequest) closeIdleAgentSockets()
    return
  }
  stopSocketLayer()
  source = findSource(owner)
  source.apply(owner)
  if (connectIsOurs()) patchAgain()
  // In front of an MSW that listens already.
  source.emitter.earlyOn('request', answerSocketRequest)
  closeIdleSockets()
}

/** Stops layer 2 when no cassette is active, so that the user's own MSW finds the sockets as without retake. */
export function stopSocketLayer(): void {
  if (!source) return
  source.emitter.removeListener('request', answerSocketRequest)
  source.dispose(owner)
  source = undefined
  closeIdleSockets()
}

function closeIdleSockets(): void {
  reconnectIdleSockets(shared.undiciSockets)
  closeIdleAgentSockets()
}

/** The function of node:http when its pools were last cleared: other libraries patch it. */
let latestRequest: unknown

function closeIdleAgentSockets(): void {
  latestRequest = http.request
  for (const socket of opened) {
    const message = (socket as { _httpMessage?: unknown })._httpMessage
    if (message === null) socket.destroy()
    // Busy: when its agent would put it into the pool.
    else if (message) socket.once('free', () => socket.destroy())
  }
  opened.clear()
}
