import { isJsonObject, type JsonObject } from './json/json.ts'
import type { Trace } from './trace.ts'

/** How a run ended, by its last step. */
export type TerminalOutcome =
  | { status: 'success'; result: string }
  | {
      status: 'error'
      /** `agent_error`, `process_exit`, `calls_in_flight`, `max_steps_exceeded`, `unknown_tool` … */
      reason: string
      payload: JsonObject
    }
  | { status: 'incomplete' }

/** A run whose last step is not its terminal step is incomplete, whatever stands before. */
export function terminalOutcome(trace: Trace): TerminalOutcome {
  const last = trace.steps.at(-1)
  if (last?.type !== 'metadata' || !isJsonObject(last.payload)) return { status: 'incomplete' }
  const { payload } = last
  if (claimsSuccess(payload)) return { status: 'success', result: textOf(payload.result) }
  if (payload.event === 'run_failed' && payload.status === 'error') {
    return { status: 'error', reason: textOf(payload.reason), payload }
  }
  return { status: 'incomplete' }
}

/** True for the metadata payload of a completed run. */
export const claimsSuccess = (payload: JsonObject): boolean =>
  payload.event === 'run_completed' && payload.status === 'success'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
