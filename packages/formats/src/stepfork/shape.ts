import * as v from 'valibot'

const name = v.pipe(v.string(), v.minLength(1))
const count = v.pipe(v.number(), v.integer(), v.minValue(0))
const orNull = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema))
/** ISO 8601 with a time zone. */
const time = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)$/))
/** Any JSON value; null too, but it must be there. */
const json = v.unknown()
const runStatus = v.picklist(['running', 'completed', 'failed'])

const common = {
  id: name,
  run_id: name,
  parent_id: orNull(name),
  step: v.optional(count),
  timestamp: time,
  duration_ms: orNull(count),
  status: v.optional(v.picklist(['ok', 'error', 'skipped'])),
  replay_policy: v.optional(v.picklist(['frozen', 'live', 'manual', 'forbidden', 'derived'])),
  input_hash: orNull(v.string()),
  output_hash: orNull(v.string()),
  redactions: v.optional(v.array(v.string())),
}

/** Members of each type behind the common ones, in the order in which they are written. */
export const payloadMembers = {
  run_start: { input: v.optional(json) },
  llm_request: { provider: orNull(name), model: name, input: json },
  llm_response: {
    model: orNull(name),
    output: json,
    prompt_tokens: orNull(count),
    completion_tokens: orNull(count),
    total_tokens: orNull(count),
    cost_usd: orNull(v.pipe(v.number(), v.minValue(0))),
  },
  tool_call: { name, input: json },
  tool_result: { name, output: json },
  state_change: { key: orNull(name), before: v.optional(json), after: v.optional(json) },
  error: { error_type: name, message: name, details: v.optional(json) },
  run_end: { run_status: runStatus, output: v.optional(json) },
}

/** The members of every event in the order in which they are written, and what an absent one means. */
export const commonMembers: readonly (readonly [name: string, absent: 'null' | 'none' | 'empty' | 'ok' | 'frozen'])[] =
  [
    ['id', 'none'],
    ['run_id', 'none'],
    ['parent_id', 'null'],
    ['step', 'none'],
    ['type', 'none'],
    ['timestamp', 'none'],
    ['duration_ms', 'null'],
    ['status', 'ok'],
    ['replay_policy', 'frozen'],
    ['input_hash', 'null'],
    ['output_hash', 'null'],
    ['redactions', 'empty'],
  ]

export const eventSchema = v.variant(
  'type',
  Object.entries(payloadMembers).map(([type, members]) =>
    v.strictObject({ ...common, type: v.literal(type), ...members }),
  ),
)

const failure = v.strictObject({ type: name, message: name, step: count })

export const manifestSchema = v.pipe(
  v.strictObject({
    format: v.literal('stepfork'),
    schema_version: v.literal('0.1'),
    run_id: name,
    agent_name: name,
    created_at: time,
    status: runStatus,
    failure: orNull(failure),
    environment: v.optional(
      v.strictObject({ python: orNull(v.string()), os: orNull(v.string()), stepfork_version: orNull(v.string()) }),
    ),
    totals: v.optional(
      v.strictObject({
        events: v.optional(count),
        llm_calls: v.optional(count),
        tool_calls: v.optional(count),
        cost_usd: orNull(v.pipe(v.number(), v.minValue(0))),
        duration_ms: orNull(count),
      }),
    ),
  }),
  v.check(({ status, failure }) => (status === 'failed') === (failure !== undefined && failure !== null)),
)

export const redactionsSchema = v.strictObject({
  schema_version: v.literal('0.1'),
  entries: v.optional(
    v.array(
      v.strictObject({
        event_id: name,
        path: name,
        reason: name,
        replacement: v.optional(v.literal('[REDACTED]')),
      }),
    ),
  ),
})

export const integritySchema = v.strictObject({
  schema_version: v.optional(v.literal('0.1')),
  algorithm: v.optional(v.string()),
  files: v.optional(v.record(v.string(), v.string())),
})
