import type { TraceStep } from '@retake/trace'
import type { Loss } from './loss.ts'
import type { Run } from './run-format.ts'
import { membersOf } from './step-reader.ts'

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
