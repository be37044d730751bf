// Captured at import: a test may install fake timers later.
const now = Date.now.bind(Date)

/** One call while it runs. */
export interface Flight {
  readonly startedAt: number
  overlapped: boolean
}

export interface Clock {
  /** Milliseconds since the epoch, never less than any time given before. */
  stamp(): number
  /** Like `stamp`, but more than any time given before. */
  later(): number
  take(): Flight
  land(flight: Flight): number
}

/**
 * Gives the times of a recording. They tell which calls overlapped: a call that starts when another is over never starts
 * before its end, and a call that ran beside another ends later than that one started, even within one millisecond.
 * @param from no time is earlier than this one
 */
export function createClock(from = 0): Clock {
  const inFlight = new Set<Flight>()
  let last = from
  let lastStart = 0
  const stamp = () => {
    last = Math.max(last, now())
    return last
  }
  return {
    stamp,
    later() {
      last = Math.max(last + 1, now())
      return last
    },
    take() {
      const flight = { startedAt: stamp(), overlapped: inFlight.size > 0 }
      for (const other of inFlight) other.overlapped = true
      inFlight.add(flight)
      lastStart = flight.startedAt
      return flight
    },
    land(flight) {
      inFlight.delete(flight)
      if (flight.overlapped) last = Math.max(last, lastStart + 1)
      return stamp()
    },
  }
}
