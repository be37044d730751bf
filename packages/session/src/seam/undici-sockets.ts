import dc from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** The connections in the pools of undici, built in or from npm. */
export interface UndiciSockets {
  /** Restarts of layer 2 so far. */
  epoch: number
  /** The epoch each was opened in, -1 for one of our own, and the request that is on it. */
  open: Map<Socket, { epoch: number; request: object | undefined }>
}

/**
 * Follows them from now on. `isOurs` tells, in the context that opens one, whether retake does; `mayStay`, when a request
 * is done, whether its connection may wait for the next.
 */
export function followUndiciSockets(isOurs: () => boolean, mayStay: () => boolean): UndiciSockets {
  const sockets: UndiciSockets = { epoch: 0, open: new Map() }
  const socketOf = new WeakMap<object, Socket>()
  dc.subscribe('undici:client:connected', (message) => {
    const { socket } = message as { socket: Socket }
    // Our own connections belong to no epoch: they are closed after use.
    sockets.open.set(socket, { epoch: isOurs() ? -1 : sockets.epoch, request: undefined })
    socket.once('close', () => sockets.open.delete(socket))
  })
  dc.subscribe('undici:client:sendHeaders', (message) => {
    const { request, socket } = message as { request: object; socket: Socket }
    const state = sockets.open.get(socket)
    if (!state) return
    state.request = request
    socketOf.set(request, socket)
  })
  const release = (message: unknown) => {
    const { request } = message as { request: object }
    const socket = socketOf.get(request)
    const state = socket && sockets.open.get(socket)
    if (!state || state.request !== request) return
    state.request = undefined
    if (state.epoch !== sockets.epoch || !mayStay()) reconnect(socket)
  }
  dc.subscribe('undici:request:trailers', release)
  dc.subscribe('undici:request:error', release)
  return sockets
}

/**
 * The interceptor, retake's or that of a user's MSW, judges a connection by the moment it was opened, and the guard only
 * sees it opened. So idle ones are closed when the first cassette starts and at every start and stop of layer 2, and
 * busy ones when they are done. With this code undici opens a new one and loses no request.
 */
export function reconnectIdleSockets(sockets: UndiciSockets): void {
  sockets.epoch++
  for (const [socket, { request }] of sockets.open) if (!request) reconnect(socket)
}

const reconnect = (socket: Socket) =>
  socket.destroy(Object.assign(new Error('[retake] reconnect'), { code: 'UND_ERR_INFO' }))
