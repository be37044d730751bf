import type { RetakeError } from '@retake/trace'
import type { ModelRequest } from '../seam/shared.ts'
import { callProvider, type LiveCall } from './live-call.ts'

/** Who answers the requests of a run that is being recorded. */
export interface ModelSource {
  /** True where a request leaves the machine: it needs a key, and may cost. */
  readonly isLive: boolean
  call(request: ModelRequest, given: LiveCall): Promise<Response>
  /** What is wrong with a run that ends now. */
  leftOver?(): RetakeError | undefined
}

export const provider: ModelSource = { isLive: true, call: callProvider }
