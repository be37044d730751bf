import { isJsonObject, type JsonObject, type ModelInput, type StepExtras, type TraceStep } from '@retake/trace'
import type { Run } from './run-format.ts'

/** Helps a writer go over the steps of a run. */
export interface StepReader {
  extrasOf(step: TraceStep): StepExtras | undefined
  /** The request that a reply or a failure belongs to. */
  requestOf(step: TraceStep): { step: TraceStep; input: ModelInput } | undefined
  /** The result of a tool call. */
  resultOf(call: TraceStep): TraceStep | undefined
}

export function createStepReader({ trace: { steps }, extras }: Run): StepReader {
  const extrasBy = new Map(extras.map((entry) => [entry.step, entry]))
  const requests = new Map<number, TraceStep>()
  const results = new Map<unknown, TraceStep>()
  let latest: TraceStep | undefined
  for (const step of steps) {
    if (step.type === 'model_input') latest = step
    if (latest) requests.set(step.index, latest)
    if (step.type === 'tool_result') results.set(membersOf(step).toolCallId, step)
  }
  return {
    extrasOf: ({ index }) => extrasBy.get(index),
    requestOf(step) {
      const request = requests.get(step.index)
      return request && { step: request, input: request.payload as ModelInput }
    },
    resultOf: (call) => results.get(membersOf(call).toolCallId),
  }
}

/** The payload of a step that has members. */
export const membersOf = ({ payload }: TraceStep): JsonObject => (isJsonObject(payload) ? payload : {})
