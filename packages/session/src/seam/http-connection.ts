import { AsyncLocalStorage } from 'node:async_hooks'
import type { Socket } from 'node:net'

/**
 * Set where a client of HTTP opens a connection. Such a connection is judged by its requests, for the cassette may have
 * the answers; every other one is judged at once. Too much is taken for HTTP rather than too little.
 */
const opening = new AsyncLocalStorage<'agent' | 'undici' | undefined>()
const known = new WeakSet<Socket>()

/** Runs the part of an agent of node:http that opens connections, at once or later. */
export const openForHttp = <T>(work: () => T): T => opening.run('agent', work)

/** undici says that it is about to open one, and opens it at once unless its user gave it a connector of his own. */
export const undiciOpens = (): void => opening.enterWith('undici')

/** True for a connection that a client of HTTP opens. */
export function isForHttp(socket: Socket, args: unknown[]): boolean {
  if (known.has(socket)) return true
  const by = opening.getStore()
  if (by === 'undici') opening.enterWith(undefined)
  if (!by && !hasRequestOptions(args)) return false
  known.add(socket)
  return true
}

/** The option `createConnection` of node:http gets the options of the request, and mostly hands them on. */
function hasRequestOptions(args: unknown[]): boolean {
  const [options] = Array.isArray(args[0]) ? args[0] : args
  return typeof options === 'object' && options !== null && ('method' in options || 'headers' in options)
}
