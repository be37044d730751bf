/**
 * The times of a recording that takes the place of an older one, in milliseconds after the start of the run. Steps that
 * did not change keep theirs; what changed between them gets a time between theirs, what changed behind them keeps its
 * distance to the step before.
 *
 * Times tell which calls overlapped, so they must not tell another order than the run had: where the kept ones would,
 * the steps from the first change on have the times of the new run, or all of them do.
 *
 * @param recorded times of the new run, by step
 * @param kept times of the older run for the steps that did not change
 * @param shared how many steps at the beginning did not change
 */
export function keepTimes(
  recorded: readonly number[],
  kept: readonly (number | undefined)[],
  shared: number,
): readonly number[] {
  const start = kept.slice(0, shared).map(Number)
  const moved = moveBehind(start, recorded)
  if (!isRising(recorded, 0)) return tellsSameOrder(recorded, moved, shared) ? moved : recorded
  const fitted = fitBetween(start, recorded, kept)
  return isRising(fitted, shared) ? fitted : moved
}

/** The new run goes on where the kept beginning was over. */
function moveBehind(start: readonly number[], recorded: readonly number[]): number[] {
  const distance = start.length === 0 ? 0 : highest(start) - highest(recorded.slice(0, start.length))
  return [...start, ...recorded.slice(start.length).map((time) => time + distance)]
}

function fitBetween(
  start: readonly number[],
  recorded: readonly number[],
  kept: readonly (number | undefined)[],
): number[] {
  const limits = nextKept(kept)
  const times = [...start]
  let before = start.length === 0 ? 0 : highest(start)
  for (let step = start.length; step < recorded.length; step++) {
    const distance = (recorded[step] ?? 0) - (recorded[step - 1] ?? 0)
    before = kept[step] ?? Math.min(before + distance, limits[step] ?? Number.POSITIVE_INFINITY)
    times.push(before)
  }
  return times
}

/** For each step the first kept time at or behind it. */
function nextKept(kept: readonly (number | undefined)[]): (number | undefined)[] {
  let next: number | undefined
  return kept
    .map((_, index) => {
      next = kept[kept.length - 1 - index] ?? next
      return next
    })
    .toReversed()
}

/** From the step `from` on, none is earlier than one before it. */
function isRising(times: readonly number[], from: number): boolean {
  let last = highest(times.slice(0, from))
  for (const time of times.slice(from)) {
    if (time < last) return false
    last = time
  }
  return true
}

/** Of every two steps that are not both in the shared beginning, the same one is earlier. */
const tellsSameOrder = (recorded: readonly number[], times: readonly number[], shared: number): boolean =>
  times.every((time, step) => {
    if (step < shared) return true
    const own = recorded[step] ?? 0
    return times.slice(0, step).every((other, at) => Math.sign(time - other) === Math.sign(own - (recorded[at] ?? 0)))
  })

const highest = (times: readonly number[]): number =>
  times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY)
