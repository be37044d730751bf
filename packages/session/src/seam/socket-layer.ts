import http from 'node:http'
import type { Socket } from 'node:net'
import { connectIsOurs } from './install-seam.ts'
import { listenBeforeMsw2 } from './msw2.ts'
import { findSource, patchAgain, type RequestSource, registeredSource } from './request-source.ts'
import { shared } from './shared.ts'
import { answerSocketRequest } from './socket-request.ts'
import { reconnectIdleSockets } from './undici-sockets.ts'

/** Layer 2, while it is on. */
let source: RequestSource | undefined
const owner = {}
/** Sockets that were opened while layer 2 was on; those of node:http agents may lie in their pools. */
const opened = new Set<Socket>()

export const socketLayerIsOn = (): boolean => source !== undefined

/** Keeps a socket that was opened while layer 2 is on, to close it with the layer. */
export function rememberSocket(socket: Socket): void {
  opened.add(socket)
  socket.once('close', () => opened.delete(socket))
}

/**
 * Starts layer 2, synchronously, in the middle of the request that needs it; again where another library undid it. False
 * where it was on.
 */
export function startSocketLayer(): boolean {
  listenBeforeMsw2()
  if (source && source === registeredSource() && !connectIsOurs()) {
    // An MSW that began to listen in the middle of a test knows whose request it is by the socket.
    if (http.request !== latestRequest) closeIdleAgentSockets()
    return false
  }
  stopSocketLayer()
  source = findSource(owner)
  source.apply(owner)
  if (connectIsOurs()) patchAgain()
  // In front of an MSW that listens already.
  source.emitter.earlyOn('request', answerSocketRequest)
  closeIdleSockets()
  return true
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
