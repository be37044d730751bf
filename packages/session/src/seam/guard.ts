import type { Socket } from 'node:net'
import { BypassError } from '../errors.ts'
import { type Connect, type SeamSession, shared } from './shared.ts'

/** No layer answers HTTP/2. The clients of AWS take another handler; those of Bedrock use HTTP/2 unless they are told. */
export const http2Remedy =
  'HTTP/2 is neither recorded nor replayed: use HTTP/1 (clients of AWS: `requestHandler: new NodeHttpHandler()` from @smithy/node-http-handler)'

interface Target {
  host: string | undefined
  port: number | undefined
}

/**
 * The bottom of the seam: while replaying, a connection to anything but loopback, a pipe or an allowed host fails like a
 * name that does not resolve, which every client knows how to report, and the session remembers it.
 */
export function guardedConnect(session: SeamSession, socket: Socket, args: unknown[], original: Connect): Socket {
  const target = targetOf(args)
  const isHttp2 = shared.way.getStore() === 'http2'
  if (!target || isLoopback(target.host) || !session.replaying) return connect()
  if (session.allowsHost(target.host ?? '', target.port)) return connect()
  const name = `${target.host}:${target.port ?? '?'}`
  const error = new BypassError(
    `a connection to ${name} was stopped: nothing may leave the machine while replaying\n` +
      `  test    ${session.label}\n` +
      `  ${isHttp2 ? http2Remedy : 'Wrap the tool that makes it with `cassette.tools()`'}, or let it pass with \`allow: ['${name}']\`.`,
    { target: name, test: session.label },
  )
  session.fail(error)
  return failedConnect(socket, error, original)

  function connect(): Socket {
    return original.apply(socket, args as Parameters<Connect>)
  }
}

/** A connection that fails like a name that does not resolve. */
export function failedConnect(socket: Socket, error: Error, original: Connect): Socket {
  const lookup = (_host: string, _options: unknown, done: (error: Error) => void) => process.nextTick(done, error)
  return original.call(socket, { host: 'retake.invalid', port: 1, lookup } as never)
}

/** Undefined for a pipe or a Unix socket. `net.connect` hands over normalized arguments: `[[options, callback]]`. */
function targetOf(args: unknown[]): Target | undefined {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args
  if (typeof first === 'object' && first !== null) {
    const { path, host, port } = first as { path?: string; host?: string; port?: number | string }
    return path ? undefined : { host, port: port === undefined ? undefined : Number(port) }
  }
  if (Number.isNaN(Number(first))) return undefined
  return { host: typeof second === 'string' ? second : undefined, port: Number(first) }
}

/** Without a host Node connects to localhost. */
export function isLoopback(host: string | undefined): boolean {
  if (!host) return true
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return name === '::1' || name === '::' || name === '0.0.0.0' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(name)
}
