import type { Ended } from './live-call.ts'

// Captured at import: a test may install fake timers later.
const now = performance.now.bind(performance)

/** Measures one attempt, from now on. */
export interface Stopwatch {
  /** A byte has come. */
  byte(): void
  /** The same ending; a reply with its times, in whole milliseconds. */
  timed(how: Ended): Ended
}

export function startStopwatch(): Stopwatch {
  const startedAt = now()
  let first: number | undefined
  return {
    byte() {
      first ??= now()
    },
    timed(how) {
      if (!('reply' in how)) return how
      const since = (time: number) => Math.round(time - startedAt)
      const endedAt = now()
      const { turn, extras, held } = how.reply
      const times = { firstByteMs: since(first ?? endedAt), durationMs: since(endedAt) }
      return { reply: { turn, extras: { ...extras, ...times }, ...(held && { held }) } }
    },
  }
}
