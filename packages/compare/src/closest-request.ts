import type { ModelInput } from '@retake/trace'
import { compareRequests } from './compare-requests.ts'
import type { Difference } from './difference.ts'

export interface ClosestRequest {
  index: number
  differences: Difference[]
}

/** The recorded request with the fewest differences; of several the one that changed least, then the first. */
export const closestRequest = (recorded: readonly ModelInput[], received: ModelInput): ClosestRequest | undefined => {
  let closest: (ClosestRequest & { size: number }) | undefined
  for (const [index, request] of recorded.entries()) {
    const differences = compareRequests(request, received)
    if (closest && differences.length > closest.differences.length) continue
    const size = differences.reduce((sum, { before, after }) => sum + sizeOf(before) + sizeOf(after), 0)
    if (closest && differences.length === closest.differences.length && size >= closest.size) continue
    closest = { index, differences, size }
  }
  return closest && { index: closest.index, differences: closest.differences }
}

const sizeOf = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length)
