/** Hosts, URLs and patterns that retake leaves alone. A text without a scheme is a host, or `host:port`. */
export interface Allowance {
  url(url: URL): boolean
  host(host: string, port: number | undefined): boolean
}

export function createAllowance(allow: readonly (string | RegExp)[] = []): Allowance {
  return {
    url: (url) => allow.some((entry) => matchesUrl(entry, url)),
    host: (host, port) => allow.some((entry) => matchesHost(entry, host, port)),
  }
}

function matchesUrl(entry: string | RegExp, url: URL): boolean {
  if (entry instanceof RegExp) return new RegExp(entry.source, entry.flags.replace(/[gy]/g, '')).test(url.href)
  if (entry.includes('://')) return url.href.startsWith(entry)
  return entry === url.host || entry === url.hostname
}

function matchesHost(entry: string | RegExp, host: string, port: number | undefined): boolean {
  const full = port === undefined ? host : `${host}:${port}`
  if (entry instanceof RegExp) return new RegExp(entry.source, entry.flags.replace(/[gy]/g, '')).test(full)
  if (entry.includes('://') && URL.canParse(entry)) {
    const { hostname, port: given, protocol } = new URL(entry)
    return hostname === host && Number(given || (protocol === 'http:' ? 80 : 443)) === port
  }
  return entry === host || entry === full
}
