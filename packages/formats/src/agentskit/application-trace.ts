import { isJsonObject, type JsonObject, type JsonPath } from '@retake/trace'
import * as v from 'valibot'

/** What kind of decision an application made. */
export type TraceCategory = (typeof categories)[number]

const categories = ['route', 'agent', 'repair', 'fallback', 'policy', 'action', 'lifecycle'] as const

/** One decision of an application, in causal order. */
export interface ApplicationTraceRecord {
  /** Portable identifier, unique within the fixture. */
  readonly id: string
  /** Position, from 0 and without gaps. */
  readonly sequence: number
  /** ISO 8601 in UTC. */
  readonly at: string
  readonly category: TraceCategory
  /** The id of an earlier record. */
  readonly parentId?: string
  /** At most 64 KiB as UTF-8 JSON. */
  readonly detail: Readonly<JsonObject>
}

const maxDetailBytes = 64 * 1024
export const maxTraces = 10_000

export const portableId = v.pipe(
  v.string('An id is a text.'),
  v.regex(
    /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/,
    'An id has 1 to 128 letters, digits, dots, dashes, colons and underscores, and starts with a letter or digit.',
  ),
)

/** Names of members at the top of a detail. */
const hasPortableNames = (detail: JsonObject): boolean =>
  Object.keys(detail).every((name) => name.length >= 1 && name.length <= 128)

const fits = (detail: JsonObject): boolean => Buffer.byteLength(JSON.stringify(detail)) <= maxDetailBytes

const detail = v.pipe(
  v.custom<JsonObject>(isJsonObject, 'A trace detail is an object.'),
  v.check(hasPortableNames, 'The names in a trace detail have 1 to 128 characters.'),
  v.check(fits, 'Trace detail exceeds 64 KiB.'),
)

/** Days that no calendar has roll over into the next month. */
const isTime = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/.test(text)) return false
  const time = new Date(text)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text.slice(0, 16))
}

export const objectIssue =
  (what: string) =>
  ({ expected }: { expected: string | null }): string =>
    expected === 'never' ? `${what} has a member that the format does not know.` : `${what} is not complete.`

const record: v.GenericSchema<ApplicationTraceRecord> = v.strictObject(
  {
    id: portableId,
    sequence: v.pipe(v.number('A sequence is a number.'), v.safeInteger('A sequence is a whole number.')),
    at: v.pipe(v.string('A trace time is a text.'), v.check(isTime, 'A trace time is ISO 8601 in UTC.')),
    category: v.picklist(categories, `A trace category is one of ${categories.join(', ')}.`),
    parentId: v.exactOptional(portableId),
    detail,
  },
  objectIssue('A trace'),
)

export const applicationTraces = v.pipe(
  v.array(record, 'Traces are a list.'),
  v.maxLength(maxTraces, `A fixture has at most ${maxTraces.toLocaleString('en')} traces.`),
)

/** Why a list of records is not in causal order, and where. */
export function findOrderFault(
  traces: readonly ApplicationTraceRecord[],
): { reason: string; path: JsonPath } | undefined {
  const earlier = new Set<string>()
  for (const [index, { id, sequence, parentId }] of traces.entries()) {
    if (sequence !== index) return { reason: 'Trace sequence must be contiguous.', path: [index, 'sequence'] }
    if (earlier.has(id)) return { reason: 'Trace ids must be unique.', path: [index, 'id'] }
    if (parentId !== undefined && !earlier.has(parentId)) {
      return { reason: 'Trace parent must precede its child.', path: [index, 'parentId'] }
    }
    earlier.add(id)
  }
  return undefined
}

/** The schema's first complaint, if it has one, with the place of it. */
export function firstIssue(schema: v.GenericSchema, value: unknown): { reason: string; path: JsonPath } | undefined {
  const [issue] = v.safeParse(schema, value, { abortEarly: true }).issues ?? []
  return issue && { reason: issue.message, path: (issue.path ?? []).map(({ key }) => key as string | number) }
}

/** Why a value is no record, and where. */
export const findRecordFault = (value: unknown): { reason: string; path: JsonPath } | undefined =>
  firstIssue(record, value)
