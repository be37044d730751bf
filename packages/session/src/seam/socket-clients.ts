import http from 'node:http'
import http2 from 'node:http2'
import { syncBuiltinESMExports } from 'node:module'
import net, { type Socket } from 'node:net'
import { watchAgentPrograms } from './agent-programs.ts'
import { concernsSession, sessionHere } from './attribution.ts'
import { failedConnect } from './connect-target.ts'
import { http2Remedy, stopConnection } from './guard.ts'
import { isForHttp, openForHttp, undiciOpens } from './http-connection.ts'
import { connectIsOurs } from './install-seam.ts'
import { connectApart } from './own-call.ts'
import { type Connect, type SeamSession, shared, type Way } from './shared.ts'
import { rememberSocket, socketLayerIsOn, startSocketLayer } from './socket-layer.ts'
import { followUndici } from './undici-context.ts'

type AddRequest = (this: http.Agent, ...args: unknown[]) => unknown
/** The method that every agent of node:http takes a request with; Node does not document it. */
const agents = http.Agent.prototype as unknown as { addRequest: AddRequest }
let ownAddRequest: AddRequest | undefined
let watching = false

/** Prepares for clients that do not use the global fetch; called when a cassette starts. */
export function watchSockets(): void {
  // An MSW that was there before restores over this one when it closes.
  if (agents.addRequest !== ownAddRequest) wrapAddRequest()
  if (watching) return
  watching = true
  followUndici({
    onRequest({ scope, way }) {
      if (concernsSession(scope) && !way) startSocketLayer()
    },
    onConnect() {
      if (concernsSession() && !shared.way.getStore()) undiciOpens()
    },
  })
  keepHttp2Apart()
  watchAgentPrograms()
}

let restarting = false

function wrapAddRequest(): void {
  const { addRequest } = agents
  // In the caller's context, and before the agent picks a kept-alive socket.
  ownAddRequest = function (...args) {
    if (!concernsSession() || shared.way.getStore() || restarting) return addRequest.apply(this, args)
    const started = startSocketLayer()
    return openForHttp(() => (started ? startOver(this, args) : addRequest.apply(this, args)))
  }
  agents.addRequest = ownAddRequest
}

/** The method of a layer that has just been started closes what it finds in the pool. */
function startOver(agent: http.Agent, args: unknown[]): unknown {
  restarting = true
  try {
    return agents.addRequest.apply(agent, args)
  } finally {
    restarting = false
  }
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

/** The seam's part of `net.Socket.prototype.connect`: wakes layer 2, and judges what is not for it or was let through. */
export function seamConnect(socket: Socket, args: unknown[], original: Connect): Socket {
  const connect = () => original.apply(socket, args as Parameters<Connect>)
  const way = shared.way.getStore()
  if (way === 'retake' || !concernsSession()) return connect()
  // A socket the interceptor pretends to connect has a `connect` of its own; a real one gets another socket.
  const isPretence = Object.hasOwn(socket, 'connect')
  const isAbove = !way && !isPretence && (!socketLayerIsOn() || connectIsOurs())
  const isForLayer2 = (isPretence && Boolean(way)) || ((isPretence || isAbove) && isForHttp(socket, args))
  if (!isForLayer2) {
    const stopped = stopTrial(way, socket, original) ?? stopConnection(socket, args, original)
    if (stopped) return stopped
  }
  if (isAbove) {
    startSocketLayer()
    // Now through layer 2, unless somebody keeps it away.
    if (!connectIsOurs()) return net.Socket.prototype.connect.apply(socket, args as Parameters<Connect>)
    return stopConnection(socket, args, original) ?? connect()
  }
  rememberSocket(socket)
  return connect()
}

/** A trial learns here that no mock answered, and may end here. */
function stopTrial(way: Way | undefined, socket: Socket, original: Connect): Socket | undefined {
  if (typeof way !== 'object') return undefined
  way.live = true
  return way.open ? undefined : failedConnect(socket, new Error('nothing may be sent'), original)
}
