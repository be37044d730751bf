import type { Socket } from 'node:net'
import type { Connect } from './shared.ts'

/** Where a connection goes. */
export interface Target {
  host: string | undefined
  port: number | undefined
}

/** A connection that fails like a name that does not resolve. */
export function failedConnect(socket: Socket, error: Error, original: Connect): Socket {
  const lookup = (_host: string, _options: unknown, done: (error: Error) => void) => process.nextTick(done, error)
  return original.call(socket, { host: 'retake.invalid', port: 1, lookup } as never)
}

/** Undefined for a pipe or a Unix socket. `net.connect` hands over normalized arguments: `[[options, callback]]`. */
export function targetOf(args: unknown[]): Target | undefined {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) {
    const { path, host, port } = first as { path?: string; host?: string; port?: number | string }
    return path ? undefined : { host, port: port === undefined ? undefined : Number(port) }
  }
  if (Number.isNaN(Number(first))) return undefined
  return { host: typeof second === 'string' ? second : undefined, port: Number(first) }
}
