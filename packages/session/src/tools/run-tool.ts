import { shared } from '../seam/shared.ts'

interface Outcome {
  /** What the agent gets for what the tool gave; `promise`: it came as one, from a function that is not async. */
  gave(value: unknown, promise: boolean): unknown
  /** The same for what it threw. */
  threw(error: unknown, promise: boolean): unknown
}

/** Runs the real tool. What it does inside is not the agent's: in a replay it does not run. */
export function runTool(run: () => unknown, isAsync: boolean, { gave, threw }: Outcome): unknown {
  let value: unknown
  try {
    value = shared.way.run('seen', run)
  } catch (error) {
    return threw(error, false)
  }
  if (!isThenable(value)) return gave(value, false)
  return value.then(
    (result) => gave(result, !isAsync),
    (error) => threw(error, !isAsync),
  )
}

const isThenable = (value: unknown): value is Promise<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
