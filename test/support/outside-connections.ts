import { createHook } from 'node:async_hooks'
import { appendFileSync } from 'node:fs'
import { setImmediate } from 'node:timers'

/**
 * What left this machine, or asked for the address of a name, since this module was loaded. It looks at what Node does
 * rather than at what is called: at each TCP connection, whoever opens it, and each look-up. `OUTSIDE_CONNECTIONS` names
 * a file to write them to as well, for processes that are only watched.
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
      if (isLoopback(host)) return
      const where = resource.port === undefined ? host : `${host}:${resource.port}`
      outsideConnections.push(where)
      const { OUTSIDE_CONNECTIONS: file } = process.env
      if (file) appendFileSync(file, `${where}\n`)
    })
  },
}).enable()
