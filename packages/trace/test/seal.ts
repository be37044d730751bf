import { createHash } from 'node:crypto'

const digest = (value: object): string => createHash('sha256').update(JSON.stringify(value)).digest('hex')

/** A v3 value with sums and seal made anew, as someone who edits a file on purpose would. */
export function sealed(value: Record<string, unknown>): Record<string, unknown> {
  const { seal: _, ...file } = value
  if (Array.isArray(file.steps)) file.steps = file.steps.map(summed)
  return { ...file, seal: digest(file) }
}

function summed(step: unknown): unknown {
  if (typeof step !== 'object' || step === null || Array.isArray(step)) return step
  const { sum: _, ...rest } = step as Record<string, unknown>
  return { ...rest, sum: digest(rest).slice(0, 16) }
}
