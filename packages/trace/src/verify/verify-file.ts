import { isRetakeError, type RetakeError } from '../error.ts'
import { isJsonObject, type JsonValue } from '../json.ts'
import { readVersion } from '../parse-trace.ts'
import { readJson, reportFaults } from '../read-json.ts'
import { createSharedHistory } from '../shared-history.ts'
import type { Trace } from '../trace.ts'
import { readText } from '../trace-file.ts'
import type { Verdict, VerifyReport } from './check.ts'
import { type NamedCheck, runChecks, toReport, traceChecks } from './verify-trace.ts'

/**
 * Checks a cassette file. What keeps it from being read as a trace (no strict JSON, an unknown version) is a failure of
 * the check `schema_version`.
 * @throws ConfigError where there is no readable file: then nothing was verified
 */
export function verifyFile(path: string): VerifyReport {
  let version: number | null = null
  try {
    const text = readText(path)
    const value = readJson(text, path)
    version = statedVersion(value)
    reportFaults(text, path, () => readVersion(value, path))
    shareHistory(value)
    return { file: path, ...toReport(version, runChecks(traceChecks, value as unknown as Trace)) }
  } catch (error) {
    if (!isRetakeError(error) || error.code === 'RETAKE_CONFIG') throw error
    return { file: path, ...toReport(version, runChecks(checksAfter(error), unread)) }
  }
}

/** Never looked at: the first check has failed by then. */
const unread = {} as Trace

function checksAfter(error: RetakeError): NamedCheck[] {
  const { line, column, version } = error.details
  const member = version === undefined ? undefined : 'version'
  const where = line === undefined ? member : `line ${line}${column === undefined ? '' : `, column ${column}`}`
  const [detail = ''] = error.message.split('\n')
  const verdict: Verdict = { pass: false, code: error.code, ...(where === undefined ? {} : { where }), detail }
  return traceChecks.map(([name, check]) => [name, name === 'schema_version' ? () => verdict : check])
}

/** Shared messages are hashed and checked once. Steps that are none are left to the checks. */
function shareHistory(value: JsonValue): void {
  if (!isJsonObject(value) || !Array.isArray(value.steps)) return
  const share = createSharedHistory()
  for (const step of value.steps) {
    if (isJsonObject(step) && step.type === 'model_input' && step.payload !== undefined)
      step.payload = share(step.payload)
  }
}

const statedVersion = (value: JsonValue): number | null =>
  isJsonObject(value) && typeof value.version === 'number' ? value.version : null
