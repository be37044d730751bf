import { isJsonObject } from '../json/json.ts'
import { toolCallsOf } from '../tool-calls.ts'
import type { ModelOutput, ToolCallPayload, ToolResultPayload, TraceStep } from '../trace.ts'
import type { Check, Verdict } from './check.ts'

/**
 * Every reply follows a request of its own, every call was asked for by a reply or has an origin, and every result
 * follows its one call. A request without reply and a call without result are left by runs that ended early.
 */
export const checkPairing: Check = ({ steps }) => {
  const asked = new Set<string>()
  const called = new Set<string>()
  const answered = new Set<string>()
  for (const [index, { type, payload }] of steps.entries()) {
    if (type === 'model_output') {
      if (!followsRequest(steps, index))
        return unpaired(index, 'reply_without_request', 'no model_input precedes it that has no reply yet')
      for (const { toolCallId } of toolCallsOf(payload as ModelOutput)) asked.add(toolCallId)
    }
    if (type === 'tool_call') {
      const { toolCallId, origin } = payload as ToolCallPayload
      if (called.has(toolCallId)) return unpaired(index, 'call_repeated', 'an earlier tool_call has its toolCallId')
      if (origin === undefined && !asked.has(toolCallId)) {
        return unpaired(index, 'call_not_requested', 'no earlier model_output asked for this call')
      }
      called.add(toolCallId)
    }
    if (type === 'tool_result') {
      const { toolCallId } = payload as ToolResultPayload
      if (!called.has(toolCallId))
        return unpaired(index, 'result_without_call', 'no earlier tool_call has its toolCallId')
      if (answered.has(toolCallId)) return unpaired(index, 'result_repeated', 'the call has a result already')
      answered.add(toolCallId)
    }
  }
  return { pass: true, detail: `${answered.size} of ${called.size} call(s) with a result` }
}

/** Only failed attempts stand between a request and its reply. */
function followsRequest(steps: TraceStep[], index: number): boolean {
  let at = index - 1
  while (at >= 0 && isFailedAttempt(steps[at])) at--
  return steps[at]?.type === 'model_input'
}

const isFailedAttempt = (step: TraceStep | undefined): boolean =>
  step?.type === 'metadata' && isJsonObject(step.payload) && step.payload.event === 'model_error'

const unpaired = (index: number, code: string, detail: string): Verdict => ({
  pass: false,
  code,
  where: `step ${index}`,
  detail,
})
