import type { Difference } from '@retake/compare'
import { type JsonValue, type ModelInput, RetakeError } from '@retake/trace'
import type { Brief } from './replay/miss-message.ts'

/** No cassette, and recording is off. `details`: `{ path, test, reason, closest? }`. */
export class CassetteMissingError extends RetakeError {
  readonly code = 'RETAKE_CASSETTE_MISSING'
}

/** `details` of a `CassetteMismatchError`. */
export interface MismatchDetails extends Record<string, unknown> {
  /** Absolute path of the cassette. */
  path: string
  test: string
  /** Index of the model_input step that was expected next, or came closest. */
  step: number
  /** Number of the request in this run, from 1, and how many the cassette has. */
  request: number
  requests: number
  differences: Difference[]
  /** The two requests; absent for a tool. */
  recorded?: ModelInput
  received?: ModelInput
  /** The wrapped tool that was called with other arguments; `step` is -1 where the cassette has no call to compare. */
  tool?: string
  /** Of such a tool: what the recorded and the received call were given, and what the model's reply had asked for. */
  arguments?: { recorded: JsonValue; received: JsonValue; asked: JsonValue | undefined }
  /** The tool was run, and gave something else: `differences` are of its result. */
  gave?: true
  /** The options that change the comparison, as the message names them. */
  inForce?: string
  /** The paragraphs of the message but for the list of differences, for a runner that shows them itself. */
  brief?: Brief
}

/** A request or a tool call is not what the cassette recorded. `details`: `MismatchDetails`. */
export class CassetteMismatchError extends RetakeError {
  readonly code = 'RETAKE_CASSETTE_MISMATCH'
  declare readonly details: MismatchDetails
}

/** The request is in the cassette, but every recorded reply to it was given already. `details`: `{ path, test, step, request, requests }`. */
export class StepUsedError extends RetakeError {
  readonly code = 'RETAKE_STEP_USED'
}

/** The request is in the cassette, but later: recorded calls before it were not made. `details`: as StepUsedError and `expected`. */
export class OutOfOrderError extends RetakeError {
  readonly code = 'RETAKE_OUT_OF_ORDER'
}

/** One model call more than the cassette has. `details`: `{ path, test, request, requests }`. */
export class CassetteExhaustedError extends RetakeError {
  readonly code = 'RETAKE_CASSETTE_EXHAUSTED'
}

/** The test ended before all recorded requests were made. `details`: `{ path, test, steps, requests }`. */
export class UnusedStepsError extends RetakeError {
  readonly code = 'RETAKE_UNUSED_STEPS'
}

/** A model request outside every test's context while several cassettes are active, or none. `details`: `{ url, active }`. */
export class UnattributedRequestError extends RetakeError {
  readonly code = 'RETAKE_UNATTRIBUTED_REQUEST'
}

/** A request of a test that is over. `details`: `{ test, url }`. */
export class LateRequestError extends RetakeError {
  readonly code = 'RETAKE_LATE_REQUEST'
}

/** A connection that would have left the machine while replaying. `details`: `{ target, test }`. */
export class BypassError extends RetakeError {
  readonly code = 'RETAKE_BYPASS'
}

/** Two tests record into one file at the same time. `details`: `{ path }`. */
export class CassetteBusyError extends RetakeError {
  readonly code = 'RETAKE_CASSETTE_BUSY'
}

/** Recording needs a key that is not set. `details`: `{ variable, path, test }`. */
export class MissingApiKeyError extends RetakeError {
  readonly code = 'RETAKE_MISSING_API_KEY'
}

/** The agent made more live requests in one test than `maxLiveRequests`. `details`: `{ limit, path, test }`. */
export class RecordingLimitError extends RetakeError {
  readonly code = 'RETAKE_RECORDING_LIMIT'
}

/**
 * The cassette of a fork is not what a fork of its parent would be now: the parent or the options have changed.
 * `details`: `{ path, parent, test, reason, step? }`.
 */
export class ForkStaleError extends RetakeError {
  readonly code = 'RETAKE_FORK_STALE'
}
