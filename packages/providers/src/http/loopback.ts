/** True for a host of this machine; none is one, too. */
export function isLoopback(host: string | undefined): boolean {
  if (!host) return true
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return name === '::1' || name === '::' || name === '0.0.0.0' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(name)
}
