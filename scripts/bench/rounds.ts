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

const warmUp = 3
const mostRepeats = 20

/**
 * Lets both sides work once a round, in turn first, and takes the quotient of each round, so that whatever else the
 * machine does meets both. The quicker side works several times, so that both are watched for as long. The first rounds
 * warm up, and do not count.
 * @returns the median of the quotients
 */
export async function medianRatio(side: Side, base: Side, rounds: number): Promise<number> {
  const ratios: number[] = []
  let repeats = { side: 1, base: 1 }
  for (let round = -warmUp; round < rounds; round++) {
    const timeSide = () => timeOf(side, repeats.side)
    const timeBase = () => timeOf(base, repeats.base)
    const [first, second] = round % 2 === 0 ? [timeSide, timeBase] : [timeBase, timeSide]
    const times = [await first(), await second()]
    const [ofSide, ofBase] = (round % 2 === 0 ? times : times.reverse()) as [number, number]
    if (round >= 0) ratios.push(ofSide / ofBase)
    else repeats = { side: repeatsFor(ofBase / ofSide), base: repeatsFor(ofSide / ofBase) }
  }
  return median(ratios)
}

const repeatsFor = (quicker: number): number => Math.min(Math.max(Math.round(quicker), 1), mostRepeats)

/** Milliseconds for one time. */
async function timeOf({ before, work }: Side, repeats: number): Promise<number> {
  let total = 0
  for (let n = 0; n < repeats; n++) {
    await before?.()
    const start = performance.now()
    await work()
    total += performance.now() - start
  }
  return total / repeats
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
