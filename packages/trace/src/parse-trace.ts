import { CassetteVersionError } from './error.ts'
import { Fault } from './fault.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json.ts'
import { type ReadLimits, readJson, reportFaults } from './read-json.ts'
import { createSharedHistory } from './shared-history.ts'
import { CURRENT_TRACE_VERSION, type Trace } from './trace.ts'
import { headerFault, stepFault } from './trace-shape.ts'

export interface ParseOptions extends ReadLimits {
  /** Name of the file, for messages. */
  path?: string
}

/**
 * The trace in a cassette text. Messages that several requests hold are one object, so do not change them in place.
 * The hash chain is not checked: that is `verifyTrace`.
 * @throws CassetteCorruptError with line and column for text that is no strict JSON, or no trace
 * @throws CassetteConflictError for text with merge conflict markers
 * @throws CassetteVersionError for a version this retake does not read
 */
export function parseTrace(text: string, options: ParseOptions = {}): Trace {
  const value = readJson(text, options.path, options)
  return reportFaults(text, options.path, () => {
    readVersion(value, options.path)
    return toTrace(value as JsonObject)
  })
}

/** The version of a parsed file, where this retake reads it. */
export function readVersion(value: JsonValue, path: string | undefined): number {
  if (!isJsonObject(value)) throw new Fault('the top level is no object', [])
  if (!Object.hasOwn(value, 'version')) throw new Fault('version is missing', [])
  const { version } = value
  if (typeof version !== 'number') throw new Fault('version is not a number', ['version'])
  if (version === CURRENT_TRACE_VERSION) return version
  const reason =
    version === 1
      ? 'version 1 cassettes cannot be read: re-record the run (there is no migration from version 1)'
      : `version ${version} is not supported (expected ${CURRENT_TRACE_VERSION}): update retake, or record the run again`
  throw new CassetteVersionError(path === undefined ? reason : `${reason}\n  ${path}`, {
    ...(path === undefined ? {} : { path }),
    version,
  })
}

function toTrace(value: JsonObject): Trace {
  const header = headerFault(value)
  if (header !== undefined) throw header
  const trace = value as unknown as Trace
  const share = createSharedHistory()
  trace.steps.forEach((step, index) => {
    const fault = stepFault(step, index)
    if (fault !== undefined) throw fault
    if (step.type === 'model_input') step.payload = share(step.payload)
  })
  return trace
}
