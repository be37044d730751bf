import { isJsonObject, type JsonObject } from '../json/json.ts'
import { formatWhere } from '../json/json-path.ts'
import { CURRENT_TRACE_VERSION } from '../trace.ts'
import { headerFault } from '../trace-shape.ts'
import type { Check, Verdict } from './check.ts'

/** The trace has the version this retake works with, and a header of that version. */
export const checkSchemaVersion: Check = (trace) => {
  const fail = (code: string, detail: string, where?: string): Verdict => ({
    pass: false,
    code,
    ...(where ? { where } : {}),
    detail,
  })
  if (!isJsonObject(trace)) return fail('not_an_object', 'the trace is no object')
  const { version }: JsonObject = trace
  if (typeof version !== 'number') return fail('RETAKE_CASSETTE_VERSION', 'version field is missing', 'version')
  if (version !== CURRENT_TRACE_VERSION) {
    return fail(
      'RETAKE_CASSETTE_VERSION',
      `version ${version} is not supported (expected ${CURRENT_TRACE_VERSION})`,
      'version',
    )
  }
  const fault = headerFault(trace)
  if (fault !== undefined) return fail('header_shape', fault.message, formatWhere(fault.at as (string | number)[]))
  return { pass: true, detail: `version ${version}` }
}
