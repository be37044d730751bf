import { ConfigError, deepFreeze, formatPath, type JsonObject, toStoredJson } from '@retake/trace'
import { type ApplicationTraceRecord, findRecordFault, maxTraces, type TraceCategory } from './application-trace.ts'
import { redactFields } from './redact-fields.ts'

export interface TraceCaptureOptions {
  /** Names of members whose values are replaced by `[REDACTED]`, at any depth and in any case. */
  readonly redactFields?: readonly string[]
  /** Where the times of records come from. Default: the clock. */
  readonly now?: () => Date
}

export interface TraceInput {
  readonly category: TraceCategory
  /** Copied as JSON holds it. */
  readonly detail: Readonly<Record<string, unknown>>
  /** The id of an earlier record. */
  readonly parentId?: string
  /** ISO 8601 in UTC. Default: now. */
  readonly at?: string
}

/** Collects what an application decides (AgentsKit, "Replayable application traces"). */
export interface TraceCapture {
  /**
   * Adds a record, whose id is `trace-<sequence>`, and gives it back frozen.
   * @throws ConfigError for a record that breaks the schema, or whose parent is none of the earlier ones
   * @throws UnsupportedError for a detail that JSON cannot hold
   */
  append(input: TraceInput): ApplicationTraceRecord
  /** The records so far, frozen; later ones are not added to it. */
  snapshot(): readonly ApplicationTraceRecord[]
}

/** Collects the decisions of an application, redacted before they are kept. */
export function createTraceCapture({ redactFields: names = [], now }: TraceCaptureOptions = {}): TraceCapture {
  const fields = new Set(names.map((name) => name.toLowerCase()))
  const records: ApplicationTraceRecord[] = []
  const ids = new Set<string>()
  return {
    append({ category, detail, parentId, at }) {
      if (parentId !== undefined && !ids.has(parentId)) refuse('Trace parent must refer to an earlier record.')
      if (records.length >= maxTraces) refuse(`A fixture has at most ${maxTraces.toLocaleString('en')} traces.`)
      const sequence = records.length
      const given = {
        id: `trace-${sequence}`,
        sequence,
        at: at ?? (now?.() ?? new Date()).toISOString(),
        category,
        ...(parentId !== undefined && { parentId }),
        detail: toStoredJson(detail, 'the detail of a trace') as JsonObject,
      }
      // The limits hold for what was given and for what is kept: `[REDACTED]` can be the longer one.
      check(given)
      const record = check({ ...given, detail: redactFields(given.detail, fields) })
      records.push(record)
      ids.add(record.id)
      return record
    },
    snapshot: () => Object.freeze([...records]),
  }
}

function check(record: object): ApplicationTraceRecord {
  const fault = findRecordFault(record)
  if (fault) refuse(fault.reason, formatPath(fault.path))
  return deepFreeze(record as ApplicationTraceRecord)
}

function refuse(reason: string, where?: string): never {
  throw new ConfigError(`the trace was not added: ${reason}`, { ...(where && { where }) })
}
