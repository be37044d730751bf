import type { Match } from './match.ts'
import type { RecordedCall } from './recorded-run.ts'

// Captured at import: a test may install fake timers later.
const { setTimeout, clearTimeout } = globalThis

const shortest = 300
const longest = 3_000

/** Lets requests that come before their turn wait for it. */
export interface Turns {
  /** Something was served, so that it may be the turn of a request that waits. */
  moved(): void
  /** The last answer of `match`: another than `out-of-order`, or that of an impatient one after waiting long enough. */
  waitFor(match: (patient: boolean) => Match, signal: AbortSignal | undefined): Promise<Match>
}

/**
 * Agents that work side by side keep another pace in a replay, where models answer at once: the call of one may come
 * before one of the other that was over when it began. It waits as long as the recorded run took to the call before it,
 * and a little longer; where an agent really asks in another order, nothing happens in that time.
 */
export function createTurns(calls: readonly RecordedCall[]): Turns {
  const waiting = new Set<() => void>()

  async function waitFor(match: (patient: boolean) => Match, signal: AbortSignal | undefined): Promise<Match> {
    for (;;) {
      const found = match(true)
      if (found.kind !== 'out-of-order' || signal?.aborted) return found
      if (!(await next(patience(calls, found.expected), signal))) return match(false)
    }
  }

  /** True when something was served within that time. */
  function next(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
    return new Promise((done) => {
      const end = (moved: boolean) => {
        clearTimeout(timer)
        waiting.delete(move)
        signal?.removeEventListener('abort', stop)
        done(moved)
      }
      const move = () => end(true)
      const stop = () => end(false)
      const timer = setTimeout(stop, ms)
      waiting.add(move)
      signal?.addEventListener('abort', stop, { once: true })
    })
  }

  return {
    moved() {
      for (const move of [...waiting]) move()
    },
    waitFor,
  }
}

/** How long the agent was busy before it made this call. */
function patience(calls: readonly RecordedCall[], { startedAt }: RecordedCall): number {
  const ended = calls.flatMap(({ endedAt }) => (endedAt <= startedAt ? [endedAt] : []))
  const before = ended.length > 0 ? Math.max(...ended) : startedAt
  return Math.min(startedAt - before + shortest, longest)
}
