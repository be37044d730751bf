import { createHook } from 'node:async_hooks'

/**
 * What left this machine, or asked who is out there, since this module was loaded. It looks at what Node does rather than
 * at what is called: at each TCP connection, whoever opens it, and each look-up of a name.
 */
export const outsideConnections: string[] = []

/** Node fills these in after it has made them. */
interface ConnectOrLookUp {
  address?: string
  port?: number
  hostname?: string
}

const kinds = new Set(['TCPCONNECTWRAP', 'GETADDRINFOREQWRAP', 'QUERYWRAP'])

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || /^(::ffff:)?127\./.test(host)

createHook({
  init(_id, type, _trigger, resource: ConnectOrLookUp) {
    if (!kinds.has(type)) return
    setImmediate(() => {
      const host = resource.address ?? resource.hostname ?? 'a name'
      if (!isLoopback(host)) outsideConnections.push(resource.port === undefined ? host : `${host}:${resource.port}`)
    })
  },
}).enable()
