import type { CassetteFile } from '../cassette-file.ts'
import { Fault } from '../json/fault.ts'
import type { JsonObject } from '../json/json.ts'
import { formatPath, formatWhere, type JsonPath } from '../json/json-path.ts'
import { defaultLimits } from '../json/read-json.ts'
import { findSecrets } from '../secrets/secrets.ts'
import { fromV3 } from '../v3/from-v3.ts'
import { sealFault } from '../v3/seal.ts'
import type { Check, Verdict } from './check.ts'
import { type NamedCheck, traceChecks } from './verify-trace.ts'

/** The hashes of a v3 file are worked out from what its seal covers, so there is nothing to compare them with. */
export const checkDerivedChain: Check = ({ steps }) => ({
  pass: true,
  detail: `${steps.length} step(s), chain derived`,
})

/** The checks of a v3 file: its seal, that it expands, and then those of the trace it expands to. */
export function checksOfV3(value: JsonObject): NamedCheck[] {
  let file: CassetteFile | undefined
  const checkSeal: Check = () => {
    const fault = sealFault(value)
    return fault === undefined ? { pass: true, detail: 'the seal matches' } : toVerdict(fault, 'seal_mismatch')
  }
  const checkSchema: Check = () => {
    try {
      file = fromV3(value, defaultLimits.maxExpanded)
      return { pass: true, detail: 'version 3' }
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return toVerdict(error, 'RETAKE_CASSETTE_CORRUPT')
    }
  }
  const ofTrace = traceChecks.map(([name, check]): NamedCheck => [name, () => check((file as CassetteFile).trace)])
  const own: Record<string, Check> = {
    schema_version: checkSchema,
    hash_chain: () => checkDerivedChain((file as CassetteFile).trace),
  }
  return [
    ['seal', checkSeal],
    ...ofTrace.map(([name, check]): NamedCheck => {
      if (name === 'provider_neutrality') return [name, () => orSecretsBeside(check, file as CassetteFile)]
      return [name, own[name] ?? check]
    }),
  ]
}

/** Secrets beside the trace count as those in it. */
function orSecretsBeside(check: Check, { trace, test, extras }: CassetteFile): Verdict {
  const verdict = check(trace)
  const [secret] = verdict.pass ? findSecrets({ test, extras }) : []
  if (secret === undefined) return verdict
  return { pass: false, code: 'marker', where: secret.where, detail: `markers: ${secret.kind}` }
}

function toVerdict(fault: Fault, code: string): Verdict {
  const path: JsonPath = typeof fault.at === 'number' ? [] : fault.at
  // Names deeper in a payload are the user's own.
  const where = path[0] === 'steps' ? formatWhere(path.slice(0, 3)) : formatPath(path)
  return { pass: false, code, ...(where === '' ? {} : { where }), detail: fault.message }
}
