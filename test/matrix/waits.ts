import { AsyncLocalStorage } from 'node:async_hooks'

/** Other timers are none of the agent's: SDKs have some of their own, since they were loaded. */
const inAgent = new AsyncLocalStorage<true>()

/** Longer ones are time-outs of requests; nobody waits for them. */
const longest = 60_000

/**
 * Runs `agent` with every sleep over in a millisecond. Tells the milliseconds it asked for, so that nobody has to wait
 * for a rate limit, and nothing hangs on the speed of the machine.
 */
export const withoutWaiting = async <T>(agent: () => Promise<T>): Promise<{ value: T; waits: number[] }> => {
  const { setTimeout } = globalThis
  const waits: number[] = []
  const fast = (run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const isWait = inAgent.getStore() && ms < longest
    if (isWait && ms > 0) waits.push(Math.round(ms))
    return setTimeout(run, isWait ? Math.min(ms, 1) : ms, ...args)
  }
  globalThis.setTimeout = Object.assign(fast, setTimeout) as typeof setTimeout
  try {
    return { value: await inAgent.run(true, agent), waits }
  } finally {
    globalThis.setTimeout = setTimeout
  }
}
