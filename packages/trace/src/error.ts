const brand = Symbol.for('retake.error')

/** Base of every error retake raises. `code` is stable; `details` is plain data for tools. */
export abstract class RetakeError extends Error {
  abstract readonly code: `RETAKE_${string}`
  readonly details: Readonly<Record<string, unknown>>

  constructor(message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.details = details
    Object.defineProperty(this, brand, { value: true })
  }

  override get name(): string {
    return this.constructor.name
  }
}

/** True for an error of retake, also one from another realm or another copy of the package. */
export const isRetakeError = (error: unknown): error is RetakeError =>
  typeof error === 'object' && error !== null && brand in error

/** A request, reply or option that retake could not give back. `details.name` is the name on the closed list. */
export class UnsupportedError extends RetakeError {
  readonly code = 'RETAKE_UNSUPPORTED'
}

/** The file is no valid cassette. `details`: `{ path?, line?, column?, step? }`; never a stored value. */
export class CassetteCorruptError extends RetakeError {
  readonly code = 'RETAKE_CASSETTE_CORRUPT'
}

/** The file contains merge conflict markers. `details`: `{ path?, line }`. */
export class CassetteConflictError extends RetakeError {
  readonly code = 'RETAKE_CASSETTE_CONFLICT'
}

/** The file has a version this retake does not read. `details`: `{ path?, version }`. */
export class CassetteVersionError extends RetakeError {
  readonly code = 'RETAKE_CASSETTE_VERSION'
}

/** Writing was refused: the recording holds a credential. `details`: `{ where, kind }`; never the value. */
export class SecretFoundError extends RetakeError {
  readonly code = 'RETAKE_SECRET_FOUND'
}

/** A replay was asked for something that the file of another tool does not hold. `details`: `{ mode, index? }`. */
export class ReplayMissError extends RetakeError {
  readonly code = 'RETAKE_REPLAY_MISS'
}

/** An option, a file or the environment is not as it must be. */
export class ConfigError extends RetakeError {
  readonly code = 'RETAKE_CONFIG'
}

/**
 * A replay of a Stepfork bundle went another way than the recording. `details`: `{ reason, call? }`, `reason` being
 * `mismatch`, `exhausted`, `incomplete` or `policy`, `call` the number of the recorded call from 1.
 */
export class StepforkReplayError extends RetakeError {
  readonly code = 'RETAKE_STEPFORK_REPLAY'
}

/** A recorded call of a Stepfork bundle failed, and so does its replay. `details`: `{ kind, name, errorType }`. */
export class RecordedDependencyError extends RetakeError {
  readonly code = 'RETAKE_RECORDED_DEPENDENCY'
}
