import type { StepExtras, ToolResultPayload, TraceStep } from '@retake/trace'
import type { LoggedCall } from './run-log.ts'

/** What a run takes over from another one, before anything of its own. */
export interface RunBeginning {
  /** As they are: with their ids, times and hashes. */
  readonly steps: readonly TraceStep[]
  readonly extras: readonly StepExtras[]
  /** The first step that is another, where it is known beforehand: what a tool gives instead, with its time. */
  readonly changed: { payload: ToolResultPayload; timestamp: number } | undefined
  /** Calls of the last reply that have no result in all that, in its order. */
  readonly calls: readonly LoggedCall[]
  /** Number of the next `call-N`. */
  readonly nextCall: number
}
