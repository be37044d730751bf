import dns from 'node:dns'

/** Where names lead that tests have spoken of; undefined: nowhere. */
const addresses = new Map<string, string | undefined>()
const { lookup } = dns

const lookUp = (host: string, ...rest: unknown[]): void => {
  if (addresses.has(host) && addresses.get(host) === undefined) process.nextTick(fail, host, rest.at(-1))
  else (lookup as (...args: unknown[]) => void)(addresses.get(host) ?? host, ...rest)
}

/** As `getaddrinfo` does. */
const fail = (hostname: string, callback: (error: Error) => void): void => {
  const known = { errno: -3008, code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname }
  callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), known))
}

dns.lookup = Object.assign(lookUp, lookup) as typeof lookup

/** A name that does not resolve, and that nobody is asked for. */
export function hideHost(name: string): void {
  addresses.set(name, undefined)
}

/**
 * A name that is no loopback name, and leads to this machine while the alias is there. Afterwards it does not resolve:
 * undici may open a connection again that its server has closed.
 */
export function aliasHost(name: string): Disposable {
  addresses.set(name, '127.0.0.1')
  return { [Symbol.dispose]: () => hideHost(name) }
}
