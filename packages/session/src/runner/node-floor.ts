import { ConfigError } from '@retake/trace'

const floor = [22, 12] as const

/** @throws ConfigError below the oldest Node that retake supports */
export const requireNode = (version = process.versions.node): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > floor[0] || (major === floor[0] && minor >= floor[1])) return
  throw new ConfigError(`retake needs Node ${floor.join('.')} or newer; this is v${version}.`, { version })
}
