import { nextToolCallId } from '@retake/compare'
import type { StoredResult } from '@retake/providers'
import {
  type ModelOutput,
  type ToolCallPayload,
  type ToolResultPayload,
  type Trace,
  type TraceStep,
  toolCallsOf,
  toStoredJson,
} from '@retake/trace'
import type { RunBeginning } from '../record/run-beginning.ts'
import type { LoggedCall } from '../record/run-log.ts'
import type { ReadFrom } from '../replay/read-from.ts'
import type { RecordedRun, RecordedTool } from '../replay/recorded-run.ts'
import { toStoredError } from '../tools/stored-result.ts'
import type { ForkOptions } from './fork-options.ts'

/** What the tool at the fork point gives instead; undefined where it is to run. */
export function toChangedResult(point: TraceStep, { set, setError }: ForkOptions): ToolResultPayload | undefined {
  if (set === undefined && setError === undefined) return undefined
  const { toolCallId, toolName, promise } = point.payload as ToolResultPayload
  const thrown = typeof setError === 'string' ? new Error(setError) : setError
  const given: StoredResult = thrown ? toStoredError(toolName, thrown, []) : { result: toStoredJson(set, 'fork.set') }
  return { toolCallId, toolName, ...given, ...(promise && { promise }) }
}

/** What the child takes over (trace format page, "Fork Policy"): the steps before the point, and the result at it. */
export function toBeginning(
  { trace, extras }: ReadFrom,
  point: TraceStep,
  changed: ToolResultPayload | undefined,
): RunBeginning {
  const steps = trace.steps.slice(0, point.index)
  return {
    steps,
    extras: extras.filter(({ step }) => step < point.index),
    changed: changed && { payload: changed, timestamp: point.timestamp },
    calls: openCalls(steps, point, changed),
    nextCall: Number(nextToolCallId({ steps }).slice('call-'.length)),
  }
}

/** Calls of the last reply that have no result yet: they run for real. */
function openCalls(
  steps: readonly TraceStep[],
  point: TraceStep,
  changed: ToolResultPayload | undefined,
): LoggedCall[] {
  const last = steps.findLastIndex(({ type }) => type === 'model_output')
  const reply = steps[last]
  if (!reply) return []
  const later = steps.slice(last + 1)
  const idsOf = (type: TraceStep['type']) =>
    new Set(later.filter((step) => step.type === type).map(({ payload }) => callOf(payload).toolCallId))
  const answered = idsOf('tool_result')
  const called = idsOf('tool_call')
  if (changed) answered.add(changed.toolCallId)
  const waits = point.type === 'tool_result' && !changed ? callOf(point.payload).toolCallId : undefined
  return toolCallsOf(reply.payload as ModelOutput)
    .filter(({ toolCallId }) => !answered.has(toolCallId) && (!called.has(toolCallId) || toolCallId === waits))
    .map(({ toolCallId, toolName, toolInput }) => ({
      toolCallId,
      toolName,
      toolInput,
      ...(toolCallId === waits && { begun: true }),
    }))
}

const callOf = (payload: TraceStep['payload']) => payload as ToolCallPayload

/**
 * Makes the beginning of a run one that can be replayed up to the fork point: with the changed result, or with a request
 * whose reply is still to come.
 */
export function openEnd(
  run: RecordedRun,
  parent: Trace,
  point: TraceStep,
  changed: ToolResultPayload | undefined,
): RecordedRun {
  const { index: step, timestamp: at } = point
  const last = run.calls.at(-1)
  if (point.type === 'model_output' && last) {
    last.attempts.push({ step, at, next: true })
    return run
  }
  if (!changed) return run
  const call = parent.steps.findLast(
    ({ type, index, payload }) =>
      type === 'tool_call' && index < step && callOf(payload).toolCallId === changed.toolCallId,
  )
  if (!call) return run
  const payload = callOf(call.payload)
  const asked = payload.origin ? undefined : askedBy(run, changed.toolCallId)
  const tool: RecordedTool = { step: call.index, call: payload, result: changed, at, asked, used: false }
  return { ...run, tools: [...run.tools, tool] }
}

const askedBy = ({ calls }: RecordedRun, toolCallId: string) =>
  calls.find(({ attempts }) =>
    attempts.some(
      (attempt) => 'output' in attempt && toolCallsOf(attempt.output).some((call) => call.toolCallId === toolCallId),
    ),
  )
