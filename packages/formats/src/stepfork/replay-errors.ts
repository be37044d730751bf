import { RetakeError } from '@retake/trace'

/**
 * A replay of a Stepfork bundle went another way than the recording. `details`: `{ reason, call? }`, `reason` being
 * `mismatch`, `exhausted`, `incomplete` or `policy`, `call` the number of the recorded call from 1.
 */
export class StepforkReplayError extends RetakeError {
  readonly code = 'RETAKE_STEPFORK_REPLAY'
}

/** The recorded call failed, and so does its replay. `details`: `{ kind, name, errorType }`. */
export class RecordedDependencyError extends RetakeError {
  readonly code = 'RETAKE_RECORDED_DEPENDENCY'
}
