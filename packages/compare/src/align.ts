import { diffArrays } from 'diff/lib/diff/array.js'

/** One place of two aligned lists; an index is absent where only the other list has something. */
export interface Aligned {
  before?: number
  after?: number
  equal: boolean
}

export interface Likeness<T> {
  equal(before: T, after: T): boolean
  /** 0 (nothing in common) to 1; negative for two that must not be shown as one changed into the other. */
  likeness(before: T, after: T): number
}

/** A stretch of two lists: equal item by item, or different. Ends are exclusive. */
export interface Stretch {
  equal: boolean
  before: [from: number, to: number]
  after: [from: number, to: number]
}

// Above these sizes an exact answer costs more than it tells, and items are compared in order.
const mostEdits = 2_000
const mostPairs = 10_000

/** Two lists as alternating equal and different stretches, by longest common subsequence. */
export const toStretches = <T>(before: T[], after: T[], equal: (before: T, after: T) => boolean): Stretch[] => {
  const head = countEqual(before, after, (index) => index, equal)
  const shorter = Math.min(before.length, after.length) - head
  const tail = Math.min(
    shorter,
    countEqual(before, after, (index, list) => list.length - 1 - index, equal),
  )
  const middle = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)] as const
  const stretches: Stretch[] = []
  const at = { before: 0, after: 0 }
  const push = (isEqual: boolean, removed: number, added: number): void => {
    if (removed + added === 0) return
    const last = stretches.at(-1)
    if (last && last.equal === isEqual) {
      last.before[1] += removed
      last.after[1] += added
    } else {
      stretches.push({
        equal: isEqual,
        before: [at.before, at.before + removed],
        after: [at.after, at.after + added],
      })
    }
    at.before += removed
    at.after += added
  }
  push(true, head, head)
  const changes =
    middle[0].length > 0 && middle[1].length > 0
      ? diffArrays(...middle, { comparator: equal, maxEditLength: mostEdits })
      : undefined
  if (!changes) push(false, middle[0].length, middle[1].length)
  for (const { value, added, removed } of changes ?? []) {
    push(!added && !removed, added ? 0 : value.length, removed ? 0 : value.length)
  }
  push(true, tail, tail)
  return stretches
}

const countEqual = <T>(
  before: T[],
  after: T[],
  at: (index: number, list: T[]) => number,
  equal: (before: T, after: T) => boolean,
): number => {
  const most = Math.min(before.length, after.length)
  let count = 0
  while (count < most && equal(before[at(count, before)] as T, after[at(count, after)] as T)) count++
  return count
}

/** Two lists item by item: equal, changed (both indexes), removed or added; in the order of reading. */
export const alignLists = <T>(before: T[], after: T[], { equal, likeness }: Likeness<T>): Aligned[] =>
  toStretches(before, after, equal).flatMap((stretch): Aligned[] => {
    const [removed, added] = [toIndexes(stretch.before), toIndexes(stretch.after)]
    if (stretch.equal) return removed.map((index, nth) => ({ before: index, after: added[nth] as number, equal: true }))
    return pairUp(removed, added, (one, other) => likeness(before[one] as T, after[other] as T))
  })

const toIndexes = ([from, to]: [number, number]): number[] => Array.from({ length: to - from }, (_, nth) => from + nth)

type Cost = (before: number, after: number) => number

const pairUp = (removed: number[], added: number[], likeness: Cost): Aligned[] => {
  if (removed.length * added.length <= mostPairs) return pairByLikeness(removed, added, likeness)
  return toStretches(removed, added, (before, after) => likeness(before, after) >= nearlyEqual).flatMap((stretch) => {
    const [ones, others] = [removed.slice(...stretch.before), added.slice(...stretch.after)]
    const few = !stretch.equal && ones.length * others.length <= mostPairs
    return few ? pairByLikeness(ones, others, likeness) : pairInOrder(ones, others, likeness)
  })
}

const nearlyEqual = 0.9

const pairInOrder = (removed: number[], added: number[], likeness: Cost): Aligned[] =>
  Array.from({ length: Math.max(removed.length, added.length) }, (_, nth): Aligned[] => {
    const [before, after] = [removed[nth], added[nth]]
    if (before === undefined) return after === undefined ? [] : [{ after, equal: false }]
    if (after === undefined) return [{ before, equal: false }]
    if (likeness(before, after) < 0)
      return [
        { before, equal: false },
        { after, equal: false },
      ]
    return [{ before, after, equal: false }]
  }).flat()

// Two gaps cost more than the most unlike pair, and less than a far-fetched pair where a likely one is near.
const gapCost = 0.6
const pairCost = (likeness: number): number => (likeness < 0 ? Number.POSITIVE_INFINITY : 1 - likeness / 2)

const pairByLikeness = (removed: number[], added: number[], likeness: Cost): Aligned[] => {
  const width = added.length + 1
  const costs = new Float64Array((removed.length + 1) * width)
  const steps = new Uint8Array(costs.length)
  for (let row = removed.length; row >= 0; row--) {
    for (let column = added.length; column >= 0; column--) {
      const here = row * width + column
      const remove = row < removed.length ? gapCost + (costs[here + width] ?? 0) : Number.POSITIVE_INFINITY
      const add = column < added.length ? gapCost + (costs[here + 1] ?? 0) : Number.POSITIVE_INFINITY
      const pair =
        row < removed.length && column < added.length
          ? pairCost(likeness(removed[row] as number, added[column] as number)) + (costs[here + width + 1] ?? 0)
          : Number.POSITIVE_INFINITY
      const least = Math.min(remove, add, pair)
      costs[here] = Number.isFinite(least) ? least : 0
      steps[here] = least === pair ? 0 : least === remove ? 1 : 2
    }
  }
  const aligned: Aligned[] = []
  for (let row = 0, column = 0; row < removed.length || column < added.length; ) {
    const step = steps[row * width + column]
    if (step === 0) aligned.push({ before: removed[row++] as number, after: added[column++] as number, equal: false })
    else if (step === 1) aligned.push({ before: removed[row++] as number, equal: false })
    else aligned.push({ after: added[column++] as number, equal: false })
  }
  return aligned
}
