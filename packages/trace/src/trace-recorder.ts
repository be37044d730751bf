import { createChainHasher } from './chain-hasher.ts'
import { ConfigError } from './error.ts'
import type { JsonValue } from './json/json.ts'
import { toStoredJson } from './json/stored-json.ts'
import { createSharedHistory } from './shared-history.ts'
import { CURRENT_TRACE_VERSION, type Trace, type TraceStep, type TraceStepType } from './trace.ts'

export interface TraceHeader {
  /** Unique identifier of the run. */
  id: string
  /** Milliseconds since the epoch. */
  createdAt: number
  parentId?: string
  forkedFromStepId?: string
}

/** Collects the steps of one run; what was appended never changes. */
export class TraceRecorder {
  readonly #header: TraceHeader
  readonly #steps: TraceStep[] = []
  readonly #hash = createChainHasher()
  readonly #share = createSharedHistory()

  constructor(header: TraceHeader) {
    this.#header = header
  }

  /**
   * Adds a step with a copy of the payload. Messages that the request before held are shared with it, not copied.
   * @param timestamp milliseconds since the epoch
   * @throws UnsupportedError for a payload that JSON cannot hold; nothing is added then
   */
  append(type: TraceStepType, payload: unknown, timestamp: number): TraceStep {
    const index = this.#steps.length
    const stored: JsonValue = toStoredJson(payload, `step ${index} (${type})`)
    const hashed = {
      index,
      type,
      timestamp,
      payload: type === 'model_input' ? this.#share(stored) : stored,
      prevHash: this.#steps.at(-1)?.hash ?? null,
    }
    const step: TraceStep = { id: `${this.#header.id}:${index}`, ...hashed, hash: this.#hash(hashed) }
    this.#steps.push(step)
    return step
  }

  /**
   * Adds a step of another run as it is, with its id, time and hash.
   * @throws ConfigError for one that does not follow the steps so far
   */
  adopt(step: TraceStep): void {
    const index = this.#steps.length
    if (step.index !== index || step.prevHash !== (this.#steps.at(-1)?.hash ?? null)) {
      throw new ConfigError(`step ${step.index} of another run cannot follow here: step ${index} comes next`, {
        step: step.index,
      })
    }
    // The next request shares what it repeats with this one.
    if (step.type === 'model_input') this.#share(step.payload)
    this.#steps.push(step)
  }

  /** The run so far. Later steps are not added to it. */
  toTrace(): Trace {
    const { id, createdAt, parentId, forkedFromStepId } = this.#header
    return {
      version: CURRENT_TRACE_VERSION,
      id,
      createdAt,
      steps: [...this.#steps],
      ...(parentId === undefined ? {} : { parentId }),
      ...(forkedFromStepId === undefined ? {} : { forkedFromStepId }),
    }
  }
}
