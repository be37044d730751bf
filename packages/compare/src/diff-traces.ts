import type { Trace, TraceStep } from '@retake/trace'
import { type Aligned, alignLists } from './align.ts'
import { compareValues } from './compare-values.ts'
import type { Difference } from './difference.ts'
import { likenessOfSteps } from './likeness-of-steps.ts'
import { createStepKeys } from './step-keys.ts'

/** A difference inside a step; `path` starts at the payload. A step that only one run has is one with an empty path. */
export interface TraceDifference extends Difference {
  /** Index of the step in the second run; of a step that only the first has, in the first. */
  step: number
}

/** Where two runs part; the first one is called the parent, whether or not the second is its fork. */
export interface TraceDiff {
  by: 'hash' | 'semantic'
  parentTraceId: string
  childTraceId: string
  /** Number of steps at the beginning that are the same. */
  sharedPrefixLength: number
  hasDivergence: boolean
  /** Index of the first step that is not the same, or that only one run has. */
  firstDivergenceIndex: number | null
  /** The steps of both runs at that index. */
  parentStep: TraceStep | null
  childStep: TraceStep | null
  isParentStrictPrefixOfChild: boolean
  isChildStrictPrefixOfParent: boolean
  /** The steps of both runs side by side, by their indexes. */
  aligned: Aligned[]
  /** All of them, in the order of `aligned`. */
  differences: TraceDifference[]
}

/** Compares two runs by the hashes of their steps, so that a different time is a difference. Hashes are not checked. */
export const diffTraces = (parent: Trace, child: Trace): TraceDiff =>
  toDiff('hash', parent, child, (before, after) => before.hash === after.hash)

/** Compares two runs by type and payload of their steps; times, hashes and ids of steps do not count. */
export const diffTracesSemantic = (parent: Trace, child: Trace): TraceDiff => {
  const keyOf = createStepKeys()
  return toDiff('semantic', parent, child, (before, after) => keyOf(before) === keyOf(after))
}

type SameStep = (before: TraceStep, after: TraceStep) => boolean

const toDiff = (by: TraceDiff['by'], parent: Trace, child: Trace, same: SameStep): TraceDiff => {
  const [before, after] = [parent.steps, child.steps]
  const shortest = Math.min(before.length, after.length)
  let shared = 0
  while (shared < shortest && same(before[shared] as TraceStep, after[shared] as TraceStep)) shared++
  const hasDivergence = shared < Math.max(before.length, after.length)
  const aligned = alignSteps(parent, child, shared)
  return {
    by,
    parentTraceId: parent.id,
    childTraceId: child.id,
    sharedPrefixLength: shared,
    hasDivergence,
    firstDivergenceIndex: hasDivergence ? shared : null,
    parentStep: before[shared] ?? null,
    childStep: after[shared] ?? null,
    isParentStrictPrefixOfChild: shared === before.length && shared < after.length,
    isChildStrictPrefixOfParent: shared === after.length && shared < before.length,
    aligned,
    differences: aligned.slice(shared).flatMap((pair) => compareSteps(pair, parent, child, by === 'hash')),
  }
}

/** Steps of the shared beginning are equal; of the others, those with the same type and payload. */
const alignSteps = (parent: Trace, child: Trace, shared: number): Aligned[] => {
  const [before, after] = [parent.steps.slice(shared), child.steps.slice(shared)]
  const keyOf = createStepKeys()
  const keys = new Map([...before, ...after].map((step) => [step, keyOf(step)]))
  const rest = alignLists(before, after, {
    equal: (one, other) => keys.get(one) === keys.get(other),
    likeness: likenessOfSteps,
  })
  const start = parent.steps.slice(0, shared).map((_, index) => ({ before: index, after: index, equal: true }))
  return [
    ...start,
    ...rest.map(({ before: one, after: other, equal }) => ({
      ...(one !== undefined && { before: shared + one }),
      ...(other !== undefined && { after: shared + other }),
      equal,
    })),
  ]
}

const compareSteps = (pair: Aligned, parent: Trace, child: Trace, withTimes: boolean): TraceDifference[] => {
  const [before, after] = [parent.steps[pair.before ?? -1], child.steps[pair.after ?? -1]]
  if (!before) return after ? [{ step: pair.after ?? 0, path: '', kind: 'added', after: after.payload }] : []
  if (!after) return [{ step: pair.before ?? 0, path: '', kind: 'removed', before: before.payload }]
  const found = pair.equal ? [] : compareValues(before.payload, after.payload)
  if (withTimes) found.push(...compareRecord(before, after, found.length === 0))
  return found.map((difference) => ({ step: pair.after ?? 0, ...difference }))
}

const compareRecord = (before: TraceStep, after: TraceStep, samePayload: boolean): Difference[] => {
  if (before.timestamp !== after.timestamp) {
    return [{ path: 'timestamp', kind: 'changed', before: before.timestamp, after: after.timestamp }]
  }
  // Only hand-made traces come here: the hashes differ, and nothing that is hashed does.
  const sameLink = before.prevHash === after.prevHash && before.index === after.index
  return samePayload && sameLink && before.hash !== after.hash
    ? [{ path: 'hash', kind: 'changed', before: before.hash, after: after.hash }]
    : []
}
