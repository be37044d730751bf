import dns from 'node:dns'

/** A name that is no loopback name, and leads to this machine while the alias is there. */
export function aliasHost(name: string): Disposable {
  const { lookup } = dns
  const aliased = (host: string, ...rest: unknown[]) =>
    (lookup as (...args: unknown[]) => void)(host === name ? '127.0.0.1' : host, ...rest)
  dns.lookup = Object.assign(aliased, lookup) as typeof lookup
  return {
    [Symbol.dispose]() {
      dns.lookup = lookup
    },
  }
}
