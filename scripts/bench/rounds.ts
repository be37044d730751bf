import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** One line of the result: how long something takes against what it is measured by. */
export interface Row {
  row: string
  /** Median over the rounds; for sizes the quotient itself. */
  ratio: number
  /** The ratio may not be larger. */
  limit?: number
  rounds: number
}

/** Something to be timed; what `before` does is not. */
export interface Side {
  before?(): unknown
  work(): unknown
}

/**
 * Lets both sides work once a round, in turn first, and takes the quotient of each round, so that whatever else the
 * machine does meets both. The first rounds warm up and do not count.
 * @returns the median of the quotients
 */
export async function medianRatio(side: Side, base: Side, rounds: number, warmUp = 2): Promise<number> {
  const ratios: number[] = []
  for (let round = -warmUp; round < rounds; round++) {
    const took = new Map<Side, number>()
    for (const each of round % 2 === 0 ? [side, base] : [base, side]) took.set(each, await timeOf(each))
    if (round >= 0) ratios.push((took.get(side) as number) / (took.get(base) as number))
  }
  return median(ratios)
}

async function timeOf({ before, work }: Side): Promise<number> {
  await before?.()
  // What the other side left behind is not on this one's bill.
  collectGarbage()
  const start = performance.now()
  await work()
  return performance.now() - start
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
