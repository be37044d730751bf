import { isJsonObject } from '../json/json.ts'
import { findNeutralityMarkers, withoutChain } from '../neutrality.ts'
import { findSecrets } from '../secrets/secrets.ts'
import { claimsSuccess, terminalOutcome } from '../terminal-outcome.ts'
import type { Trace } from '../trace.ts'
import type { Check, Verdict, VerifyCheck, VerifyReport } from './check.ts'
import { checkHashChain } from './hash-chain.ts'
import { checkPairing } from './pairing.ts'
import { checkPayloadShape } from './payload-shape.ts'
import { checkSchemaVersion } from './schema-version.ts'

/** Checks a trace in a fixed order; the first check that fails decides, later ones are skipped. Never throws. */
export function verifyTrace(trace: Trace): VerifyReport {
  const { version }: Partial<Trace> = isJsonObject(trace) ? trace : {}
  return toReport(typeof version === 'number' ? version : null, runChecks(traceChecks, trace))
}

export const toReport = (version: number | null, checks: VerifyCheck[]): VerifyReport => ({
  format: 'retake',
  version,
  pass: checks.every(({ status }) => status === 'pass'),
  checks,
})

export type NamedCheck = readonly [name: string, check: Check]

export function runChecks(checks: readonly NamedCheck[], trace: Trace): VerifyCheck[] {
  let failed = false
  return checks.map(([name, check]) => {
    if (failed) return { name, status: 'skip', detail: 'skipped (an earlier check failed)' }
    const { pass, ...verdict } = judge(check, trace)
    failed = !pass
    return { name, status: pass ? 'pass' : 'fail', ...verdict }
  })
}

function judge(check: Check, trace: Trace): Verdict {
  try {
    return check(trace)
  } catch {
    // Only a value that did not come from JSON gets here; its own message could quote it.
    return { pass: false, code: 'not_json', detail: 'the trace holds values that JSON cannot hold' }
  }
}

const checkNeutrality: Check = (trace) => {
  const markers = [
    ...findNeutralityMarkers(trace),
    ...findSecrets(withoutChain(trace)).map(({ where, kind }) => ({ where, marker: kind })),
  ]
  const [first] = markers
  if (first === undefined) return { pass: true, detail: 'no forbidden markers' }
  const labels = [...new Set(markers.map(({ marker }) => marker))].sort()
  return { pass: false, code: 'marker', where: first.where, detail: `markers: ${labels.join(', ')}` }
}

const checkReplayability: Check = (trace) => {
  const { status } = terminalOutcome(trace)
  const claim = trace.steps.findIndex(
    ({ type, payload }) => type === 'metadata' && isJsonObject(payload) && claimsSuccess(payload),
  )
  if (claim === -1 || status === 'success') return { pass: true, detail: `status=${status}` }
  return {
    pass: false,
    code: 'false_success',
    where: `step ${claim}`,
    detail: `trace claims run_completed/success but replay status is "${status}"`,
  }
}

export const traceChecks: readonly NamedCheck[] = [
  ['schema_version', checkSchemaVersion],
  ['hash_chain', checkHashChain],
  ['provider_neutrality', checkNeutrality],
  ['replayability', checkReplayability],
  ['payload_shape', checkPayloadShape],
  ['pairing', checkPairing],
]
