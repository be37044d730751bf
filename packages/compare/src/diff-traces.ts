import type { Trace, TraceStep } from '@retake/trace'
import { alignLists } from './align.ts'
import { compareValues } from './compare-values.ts'
import type { Difference } from './difference.ts'
import { likenessOfSteps } from './likeness-of-steps.ts'
import { createStepKeys } from './step-keys.ts'

/** A difference inside a step; `path` starts at the payload. A step that only one run has is one with an empty path. */
export interface TraceDifference extends Difference {
  /** Index of the step in the second run; of a step that only the first has, in the first. */
  step: number
}

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
  /** All of them, steps aligned first. */
  differences: TraceDifference[]
}

/** Compares two runs by the hashes of their steps, so that a different time is a difference. Hashes are not checked. */
export const diffTraces = (parent: Trace, child: Trace): TraceDiff => {
  const diff = toDiff('hash', parent, child, (before, after) => before.hash === after.hash)
  diff.differences = diff.hasDivergence ? collectStepDifferences(parent, child, diff.sharedPrefixLength, true) : []
  return diff
}

/** Compares two runs by type and payload of their steps; times, hashes and ids of steps do not count. */
export const diffTracesSemantic = (parent: Trace, child: Trace): TraceDiff => {
  const keyOf = createStepKeys()
  const diff = toDiff('semantic', parent, child, (before, after) => keyOf(before) === keyOf(after))
  diff.differences = diff.hasDivergence ? collectStepDifferences(parent, child, diff.sharedPrefixLength, false) : []
  return diff
}

type SameStep = (before: TraceStep, after: TraceStep) => boolean

const toDiff = (by: TraceDiff['by'], parent: Trace, child: Trace, same: SameStep): TraceDiff => {
  const [before, after] = [parent.steps, child.steps]
  const shortest = Math.min(before.length, after.length)
  let shared = 0
  while (shared < shortest && same(before[shared] as TraceStep, after[shared] as TraceStep)) shared++
  const hasDivergence = shared < Math.max(before.length, after.length)
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
    differences: [],
  }
}

const collectStepDifferences = (parent: Trace, child: Trace, from: number, withTimes: boolean): TraceDifference[] => {
  const [before, after] = [parent.steps.slice(from), child.steps.slice(from)]
  const keyOf = createStepKeys()
  const keys = new Map([...before, ...after].map((step) => [step, keyOf(step)]))
  const aligned = alignLists(before, after, {
    equal: (one, other) => keys.get(one) === keys.get(other),
    likeness: likenessOfSteps,
  })
  return aligned.flatMap(({ before: one, after: other, equal }): TraceDifference[] => {
    const [oldStep, newStep] = [before[one ?? -1], after[other ?? -1]]
    if (!oldStep) return newStep ? [{ step: from + (other ?? 0), path: '', kind: 'added', after: newStep.payload }] : []
    if (!newStep) return [{ step: from + (one ?? 0), path: '', kind: 'removed', before: oldStep.payload }]
    const found = equal ? [] : compareValues(oldStep.payload, newStep.payload)
    if (withTimes) found.push(...compareRecord(oldStep, newStep, found.length === 0))
    return found.map((difference) => ({ step: from + (other ?? 0), ...difference }))
  })
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
