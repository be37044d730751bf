import type { Difference } from '@retake/compare'
import { isJsonObject, type ModelInput, type TraceStep } from '@retake/trace'
import { formatTime } from './format-time.ts'
import { renderRequestParts } from './request-difference.ts'
import type { BlockOptions } from './text-change.ts'
import { renderDifferences } from './value-rows.ts'

const nothing = /^(?!)/

/** Both versions of a step. */
export interface StepPair {
  before?: TraceStep | undefined
  after?: TraceStep | undefined
}

/**
 * What differs between two versions of a step: a request part by part, everything else by path. Differences in `told`
 * were shown at an earlier step.
 */
export const renderStepDifference = (
  { before, after }: StepPair,
  fresh: Difference[],
  told: Difference[],
  options: BlockOptions,
): string[] => {
  const [one, other] = [toRequest(before), toRequest(after)]
  const own = fresh.filter((difference) => !isOfStep(difference))
  return [
    ...(one && other ? renderRequestParts(one, other, own, told, options) : renderDifferences(own, nothing, options)),
    ...renderDifferences(fresh.filter(isOfStep).map(withReadableTime), nothing, options),
  ]
}

/** Of the step around the payload. */
const isOfStep = ({ path }: Difference): boolean => path === 'timestamp' || path === 'hash'

const withReadableTime = (difference: Difference): Difference => {
  const { before, after } = difference
  return typeof before === 'number' && typeof after === 'number'
    ? { ...difference, before: formatTime(before), after: formatTime(after) }
    : difference
}

/** The request of a step, where it has the shape of one. */
const toRequest = (step: TraceStep | undefined): ModelInput | undefined => {
  const payload = step?.type === 'model_input' ? step.payload : undefined
  const isRequest = isJsonObject(payload) && Array.isArray(payload.messages) && Array.isArray(payload.tools)
  return isRequest ? (payload as ModelInput) : undefined
}
