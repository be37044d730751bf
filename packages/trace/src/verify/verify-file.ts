import { readText } from '../cassette-disk.ts'
import { isRetakeError, type RetakeError } from '../error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { readJson, reportFaults } from '../json/read-json.ts'
import { readVersion } from '../parse-cassette.ts'
import { createSharedHistory } from '../shared-history.ts'
import { CURRENT_TRACE_VERSION, type Trace } from '../trace.ts'
import type { Verdict, VerifyReport } from './check.ts'
import { type NamedCheck, runChecks, toReport, traceChecks } from './verify-trace.ts'
import { checksOfV3 } from './verify-v3.ts'

/**
 * Checks a cassette file of either format. What keeps it from being read as a trace (no strict JSON, an unknown version)
 * is a failure of the check `schema_version`.
 * @throws ConfigError where there is no readable file: then nothing was verified
 */
export function verifyFile(path: string): VerifyReport {
  let text: string
  try {
    text = readText(path)
  } catch (error) {
    if (!isRetakeError(error) || error.code === 'RETAKE_CONFIG') throw error
    return { file: path, ...toReport(null, runChecks(checksAfter(error), {} as Trace)) }
  }
  return { file: path, ...verifyText(text) }
}

/** Checks the text of a cassette file, as `verifyFile` does. Never throws. */
export function verifyText(text: string): VerifyReport {
  let version: number | null = null
  try {
    const value = readJson(text, undefined)
    version = statedVersion(value)
    reportFaults(text, undefined, () => readVersion(value, undefined))
    const checks = version === CURRENT_TRACE_VERSION ? traceChecks : checksOfV3(value as JsonObject)
    return toReport(version, runChecks(checks, withSharedHistory(value)))
  } catch (error) {
    if (!isRetakeError(error)) throw error
    return toReport(version, runChecks(checksAfter(error), {} as Trace))
  }
}

const statedVersion = (value: JsonValue): number | null =>
  isJsonObject(value) && typeof value.version === 'number' ? value.version : null

/** The first check has failed already; the others get no trace to look at. */
function checksAfter(error: RetakeError): NamedCheck[] {
  const { line, column, version } = error.details
  const member = version === undefined ? undefined : 'version'
  const where = line === undefined ? member : `line ${line}${column === undefined ? '' : `, column ${column}`}`
  const [detail = ''] = error.message.split('\n')
  const verdict: Verdict = { pass: false, code: error.code, ...(where === undefined ? {} : { where }), detail }
  return traceChecks.map(([name, check]) => [name, name === 'schema_version' ? () => verdict : check])
}

/** Shared messages are hashed and checked once. Steps that are none are left to the checks. */
function withSharedHistory(value: JsonValue): Trace {
  if (isJsonObject(value) && Array.isArray(value.steps)) {
    const share = createSharedHistory()
    for (const step of value.steps) {
      if (!isJsonObject(step) || step.type !== 'model_input' || step.payload === undefined) continue
      step.payload = share(step.payload)
    }
  }
  return value as unknown as Trace
}
