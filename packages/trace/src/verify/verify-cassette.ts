import type { CassetteFile } from '../cassette-file.ts'
import type { VerifyReport } from './check.ts'
import { type NamedCheck, runChecks, toReport, traceChecks } from './verify-trace.ts'
import { checkDerivedChain } from './verify-v3.ts'

/**
 * Checks a cassette that was loaded, as `verifyTrace` does, but hashes no v3 file again: loading has checked its seal.
 * Never throws.
 */
export function verifyCassette({ format, trace }: CassetteFile): VerifyReport {
  const checks = traceChecks.map(
    ([name, check]): NamedCheck => [name, format === 'v3' && name === 'hash_chain' ? checkDerivedChain : check],
  )
  return toReport(trace.version, runChecks(checks, trace))
}
