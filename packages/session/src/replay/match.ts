import type { Difference } from '@retake/compare'
import { closestRequest, compareRequests, equalComparable, toComparable } from '@retake/compare'
import type { ModelInput } from '@retake/trace'
import type { RecordedCall } from './recorded-run.ts'

/** What became of a request in strict replay. */
export type Match =
  | { kind: 'found'; call: RecordedCall }
  | { kind: 'used'; call: RecordedCall }
  | { kind: 'out-of-order'; call: RecordedCall; expected: RecordedCall }
  | { kind: 'exhausted' }
  | { kind: 'mismatch'; closest: RecordedCall; differences: Difference[] }

const isOpen = (call: RecordedCall): boolean => call.served < call.attempts.length

export interface Asking {
  /** Number of the attempt from 0, where the client tells it. */
  attempt?: number | undefined
  /** Rather out of order than the wrong attempt: the request can wait. */
  patient?: boolean
}

/**
 * The first unused recorded call with an equal request. Calls that overlapped in the recording may come in any order,
 * all others come in the recorded one. Of equal calls the one that waits for this attempt comes first, then the one with
 * the fewest attempts behind it, so that two agents which both fail at first both fail at first again.
 */
export function matchRequest(
  calls: readonly RecordedCall[],
  received: ModelInput,
  { attempt, patient = false }: Asking = {},
): Match {
  const form = toComparable(received)
  const open = calls.filter(isOpen)
  const equal = (call: RecordedCall) => equalComparable(call.comparable(), form)
  const isExact = (call: RecordedCall) => attempt === undefined || call.served === attempt
  const isBetter = (call: RecordedCall, than: RecordedCall) =>
    isExact(call) === isExact(than) ? call.served < than.served : isExact(call)
  let early: Extract<Match, { kind: 'out-of-order' }> | undefined
  let found: RecordedCall | undefined
  for (const call of open) {
    if (!equal(call)) continue
    const expected = open.find((other) => other.step < call.step && !overlap(other, call))
    if (expected) early ??= { kind: 'out-of-order', call, expected }
    else if (!found || isBetter(call, found)) found = call
  }
  if (found && (isExact(found) || !early || !patient || !isExact(early.call))) return { kind: 'found', call: found }
  if (early) return early
  const used = calls.find((call) => !isOpen(call) && equal(call))
  if (used) return { kind: 'used', call: used }
  if (open.length === 0) return { kind: 'exhausted' }
  return mismatch(open, received)
}

/** Each started before the other was over. */
const overlap = (a: RecordedCall, b: RecordedCall): boolean => a.startedAt < b.endedAt && b.startedAt < a.endedAt

/** Compared with what may come now, the most alike; that is the next one where nothing overlapped. */
function mismatch(open: readonly RecordedCall[], received: ModelInput): Match {
  const allowed = open.filter((call) => open.every((other) => other.step >= call.step || overlap(other, call)))
  const inputs = allowed.map(({ input }) => input)
  const closest = allowed[closestRequest(inputs, received)?.index ?? 0] as RecordedCall
  return { kind: 'mismatch', closest, differences: compareRequests(closest.input, received) }
}

/** `match: 'sequence'`: the next unused call, whatever it asks. */
export function matchSequence(calls: readonly RecordedCall[]): Match {
  const call = calls.find(isOpen)
  return call ? { kind: 'found', call } : { kind: 'exhausted' }
}
