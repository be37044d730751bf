import type { CassetteFile } from './cassette-file.ts'
import { CassetteVersionError } from './error.ts'
import { Fault } from './json/fault.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './json/json.ts'
import { defaultLimits, type ReadLimits, readJson, reportFaults } from './json/read-json.ts'
import { createSharedHistory } from './shared-history.ts'
import { CURRENT_TRACE_VERSION, type Trace } from './trace.ts'
import { headerFault, stepFault } from './trace-shape.ts'
import { fromV3 } from './v3/from-v3.ts'
import { sealFault, sumFault } from './v3/seal.ts'
import { v3Version } from './v3/v3-file.ts'

/** How a cassette text is read: for messages its name, and the most that is taken. */
export interface ParseOptions extends ReadLimits {
  /** Name of the file, for messages. */
  path?: string
}

/**
 * The cassette in a text of either format. Messages that several requests hold are one object, so do not change them in
 * place. The seal of a v3 file is checked; the hash chain of a v2 file is not: that is `verifyTrace`.
 * @throws CassetteCorruptError with line and column for text that is no strict JSON, or no cassette
 * @throws CassetteConflictError for text with merge conflict markers
 * @throws CassetteVersionError for a version this retake does not read
 */
export const parseCassette = (text: string, options: ParseOptions = {}): CassetteFile =>
  readCassette(text, options, sealFault)

/**
 * The trace in a cassette text of either format. The seal of a v3 file is checked; the hash chain of a v2 file is not:
 * that is `verifyTrace`.
 * @throws CassetteCorruptError with line and column for text that is no strict JSON, or no cassette
 * @throws CassetteConflictError for text with merge conflict markers
 * @throws CassetteVersionError for a version this retake does not read
 */
export const parseTrace = (text: string, options: ParseOptions = {}): Trace => parseCassette(text, options).trace

/** As `parseCassette`, for a v3 file whose steps were merged: every step must match its sum, the seal need not. */
export const parseUnsealed = (text: string, options: ParseOptions = {}): CassetteFile =>
  readCassette(text, options, sumFault)

function readCassette(
  text: string,
  options: ParseOptions,
  findFault: (file: JsonObject) => Fault | undefined,
): CassetteFile {
  const { path } = options
  const value = readJson(text, path, options)
  return reportFaults(text, path, () => {
    if (readVersion(value, path) === CURRENT_TRACE_VERSION) return fromV2(value as JsonObject)
    const fault = findFault(value as JsonObject)
    if (fault !== undefined) throw fault
    return fromV3(value as JsonObject, options.maxExpanded ?? defaultLimits.maxExpanded)
  })
}

/**
 * The version of a parsed file, where this retake reads it.
 * @throws Fault for a value that states none
 * @throws CassetteVersionError for one that is not read
 */
export function readVersion(value: JsonValue, path: string | undefined): number {
  if (!isJsonObject(value)) throw new Fault('the top level is no object', [])
  if (!Object.hasOwn(value, 'version')) throw new Fault('version is missing', [])
  const { version } = value
  if (typeof version !== 'number') throw new Fault('version is not a number', ['version'])
  if (version === CURRENT_TRACE_VERSION || version === v3Version) return version
  const reason =
    version === 1
      ? 'version 1 cassettes cannot be read: re-record the run (there is no migration from version 1)'
      : `version ${version} is not supported (this retake reads 2 and 3): update retake, or re-record the run`
  throw new CassetteVersionError(path === undefined ? reason : `${reason}\n  ${path}`, {
    ...(path === undefined ? {} : { path }),
    version,
  })
}

function fromV2(value: JsonObject): CassetteFile {
  const header = headerFault(value)
  if (header !== undefined) throw header
  const trace = value as unknown as Trace
  const share = createSharedHistory()
  trace.steps.forEach((step, index) => {
    const fault = stepFault(step, index)
    if (fault !== undefined) throw fault
    if (step.type === 'model_input') step.payload = share(step.payload)
  })
  return { trace, format: 'v2', extras: [] }
}
