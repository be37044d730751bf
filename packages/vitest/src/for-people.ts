import type { Vitest } from 'vitest/node'

// They are read by programs; lines between theirs would be noise.
const machineReporters = new Set([
  'json',
  'junit',
  'tap',
  'tap-flat',
  'blob',
  'html',
  'github-actions',
  'hanging-process',
])

export const isForPeople = (reporter: unknown): boolean => {
  const name = Array.isArray(reporter) ? reporter[0] : reporter
  return typeof name !== 'string' || !machineReporters.has(name)
}

const known = new WeakMap<object, boolean>()

/** Does one of the reporters that the user chose write for people? Ask before others are added. */
export const hasReader = ({ config }: Vitest): boolean => {
  const answer = known.get(config) ?? config.reporters.some(isForPeople)
  known.set(config, answer)
  return answer
}
