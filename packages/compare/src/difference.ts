import type { JsonValue } from '@retake/trace'

/** One thing that differs. `path` is written `messages[0].content`, `params["a.b"]`. */
export interface Difference {
  path: string
  kind: 'added' | 'removed' | 'changed'
  /** Recorded; absent for `added`. */
  before?: JsonValue
  /** Received; absent for `removed`. */
  after?: JsonValue
}
