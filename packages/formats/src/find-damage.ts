import type { VerifyCheck } from '@retake/trace'
import type { FormatReport } from './run-format.ts'

/** Checks that fail where a file was changed after it was written. The others say what a run is like. */
const vital = new Set(['seal', 'hash_chain', 'payload_hashes', 'integrity', 'files'])

/**
 * What keeps a file from being converted or replayed: it was changed after it was written. A Stepfork bundle without
 * integrity record is legacy, and none.
 */
export const findDamage = ({ checks }: FormatReport): VerifyCheck | undefined =>
  checks.find(({ name, status, code }) => status === 'fail' && vital.has(name) && code !== 'integrity_unverified')
