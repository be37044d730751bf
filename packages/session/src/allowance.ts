/** Hosts, URLs and patterns that retake leaves alone. A text without a scheme is a host, or `host:port`. */
export interface Allowance {
  url(url: URL): boolean
  host(host: string, port: number | undefined): boolean
  /** From now on connections to this place are let pass as well. */
  letPass(url: URL): void
}

// Jest runs test files in globals of their own: a pattern of theirs is no instance.
const isRegExp = (entry: string | RegExp): entry is RegExp => typeof entry !== 'string'

export function createAllowance(allow: readonly (string | RegExp)[] = []): Allowance {
  const passed = new Set<string>()
  const letPass = ({ hostname, port, protocol }: URL) => {
    passed.add(`${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`)
  }
  return {
    url(url) {
      const isAllowed = allow.some((entry) => matchesUrl(entry, url))
      // A pattern for a path says nothing about hosts.
      if (isAllowed) letPass(url)
      return isAllowed
    },
    host: (host, port) => passed.has(`${host}:${port}`) || allow.some((entry) => matchesHost(entry, host, port)),
    letPass,
  }
}

function matchesUrl(entry: string | RegExp, url: URL): boolean {
  if (isRegExp(entry)) return new RegExp(entry.source, entry.flags.replace(/[gy]/g, '')).test(url.href)
  if (entry.includes('://')) return url.href.startsWith(entry)
  return entry === url.host || entry === url.hostname
}

function matchesHost(entry: string | RegExp, host: string, port: number | undefined): boolean {
  const full = port === undefined ? host : `${host}:${port}`
  if (isRegExp(entry)) return new RegExp(entry.source, entry.flags.replace(/[gy]/g, '')).test(full)
  if (entry.includes('://') && URL.canParse(entry)) {
    const { hostname, port: given, protocol } = new URL(entry)
    return hostname === host && Number(given || (protocol === 'http:' ? 80 : 443)) === port
  }
  return entry === host || entry === full
}
