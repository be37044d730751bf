import type { Trace } from '../trace.ts'

/** One check of a file or a trace. */
export interface VerifyCheck {
  /** `schema_version`, `hash_chain`, `provider_neutrality`, `replayability`, `payload_shape`, `pairing`; for v3 also `seal`. */
  name: string
  status: 'pass' | 'fail' | 'skip'
  /** Why it failed, for tools: `hash_mismatch`, `RETAKE_CASSETTE_CORRUPT` … */
  code?: string
  /** `step 3`, `step 3 payload.calls[0].toolName`, `createdAt`. */
  where?: string
  /** One line; never a stored value. */
  detail: string
}

/** What `retake verify` says of one file. Checks behind the first that fails are skipped. */
export interface VerifyReport {
  file?: string
  format: 'retake'
  /** As the file states it; null where it states none. */
  version: number | null
  pass: boolean
  checks: VerifyCheck[]
}

/** What one check says of a trace. */
export type Verdict = { pass: true; detail: string } | { pass: false; code: string; where?: string; detail: string }

export type Check = (trace: Trace) => Verdict
