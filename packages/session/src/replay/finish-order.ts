// Captured at import: a test may install fake timers later.
const immediate = setImmediate

interface Waiting {
  at: number
  step: number
  release: () => void
}

/**
 * Lets results that are due at the same time out one by one, in the order in which they came while recording: an agent
 * may well look at which of its parallel tools finishes first.
 */
export function createFinishOrder(): (result: { at: number; step: number }) => Promise<void> {
  const waiting: Waiting[] = []
  let running = false
  const next = () => {
    waiting.sort((one, other) => one.at - other.at || one.step - other.step)
    waiting.shift()?.release()
    running = waiting.length > 0
    if (running) immediate(next)
  }
  return ({ at, step }) =>
    new Promise((release) => {
      waiting.push({ at, step, release })
      if (running) return
      running = true
      immediate(next)
    })
}
