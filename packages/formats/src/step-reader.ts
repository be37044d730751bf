import { isJsonObject, type JsonObject, type ModelInput, type StepExtras, type TraceStep } from '@retake/trace'
import type { Loss } from './loss.ts'
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
    if (step.type === 'tool_result') results.set(memberOf(step, 'toolCallId'), step)
  }
  return {
    extrasOf: ({ index }) => extrasBy.get(index),
    requestOf(step) {
      const request = requests.get(step.index)
      return request && { step: request, input: request.payload as ModelInput }
    },
    resultOf: (call) => results.get(memberOf(call, 'toolCallId')),
  }
}

const memberOf = ({ payload }: TraceStep, name: string): unknown => (isJsonObject(payload) ? payload[name] : undefined)

/** The payload of a step that has members. */
export const membersOf = ({ payload }: TraceStep): JsonObject => (isJsonObject(payload) ? payload : {})

/** What only a cassette of retake has: what it was forked from, its test, and what is beside a reply. */
export function headerLosses({ trace, extras, test }: Run, keptBeside: readonly string[]): Loss[] {
  const beside = new Set(extras.flatMap((entry) => Object.keys(entry).filter((name) => !keptBeside.includes(name))))
  beside.delete('step')
  return [
    ...(trace.parentId === undefined ? [] : [{ where: 'parentId', what: 'what it was forked from is left out' }]),
    ...(test ? [{ where: 'test', what: 'the test is left out' }] : []),
    ...[...beside].map((name) => ({ where: `extras ${name}`, what: 'is left out' })),
  ]
}

const ofResult = ['noValue', 'promise']
const ofCall = ['kind', 'inputText']

/** Members of a tool call and its result that another format has no place for. */
export function toolLosses(call: TraceStep, result: TraceStep | undefined): Loss[] {
  const members = (step: TraceStep, names: string[]) =>
    names
      .filter((name) => name in membersOf(step))
      .map((name) => ({ where: `step ${step.index} payload.${name}`, what: 'is left out' }))
  return [...members(call, ofCall), ...(result ? members(result, ofResult) : [])]
}
