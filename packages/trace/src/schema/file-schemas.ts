import * as v from 'valibot'
import { stepTypes } from '../trace-shape.ts'
import { payloads } from '../verify/payload-schemas.ts'

// What a schema cannot say (hashes, pairing, references) is left to verify.

const described = <S extends v.GenericSchema>(schema: S, text: string) => v.pipe(schema, v.description(text))
const milliseconds = described(v.number(), 'Milliseconds since the epoch.')
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const whole = v.pipe(v.number(), v.integer())
const index = v.pipe(whole, v.minValue(0))
const parents = {
  parentId: v.optional(described(v.string(), 'The run this one was forked from.')),
  forkedFromStepId: v.optional(described(v.string(), 'The step of the parent at which this run branched off.')),
}

/** A v2 cassette file. */
export const v2FileSchema = v.strictObject({
  version: v.literal(2),
  id: described(v.string(), 'Unique identifier of the run.'),
  createdAt: milliseconds,
  steps: v.array(
    v.variant(
      'type',
      stepTypes.map((type) =>
        v.strictObject({
          id: v.string(),
          index,
          type: v.literal(type),
          timestamp: milliseconds,
          payload: payloads[type],
          prevHash: described(v.nullable(sha256), 'Hash of the step before; null for the first.'),
          hash: described(sha256, 'SHA-256 of the canonical JSON of index, payload, prevHash, timestamp and type.'),
        }),
      ),
    ),
  ),
  ...parents,
})

const extras = v.strictObject({
  step: described(index, 'Index of a model_output step.'),
  tokens: v.optional(
    v.strictObject({
      input: v.optional(index),
      output: v.optional(index),
      cacheRead: v.optional(index),
      cacheWrite: v.optional(index),
      reasoning: v.optional(index),
    }),
  ),
  servedModel: v.optional(v.string()),
  firstByteMs: v.optional(v.pipe(v.number(), v.minValue(0))),
  durationMs: v.optional(v.pipe(v.number(), v.minValue(0))),
  chunks: v.optional(described(v.string(), 'Lengths of the deltas in UTF-16 code units: 5,3,7x12.')),
  opaque: v.optional(v.array(v.strictObject({ part: index, kind: v.string(), value: v.unknown() }))),
})

/** A v3 cassette file. Payloads are written as changes, so they have no shape of their own here. */
export const v3FileSchema = v.strictObject({
  version: v.literal(3),
  test: v.optional(v.strictObject({ file: v.string(), name: v.string() })),
  id: described(v.string(), 'Unique identifier of the run.'),
  ...parents,
  createdAt: described(whole, 'Milliseconds since the epoch.'),
  steps: v.array(
    v.strictObject({
      type: v.picklist(stepTypes),
      id: v.optional(v.string()),
      since: v.optional(described(index, 'Index of the earlier model_input that this one is a change of.')),
      drop: v.optional(described(v.pipe(v.array(v.string()), v.minLength(1)), 'Members of it that are gone.')),
      order: v.optional(described(v.array(v.string()), 'Names of the expanded payload, where not in the usual order.')),
      payload: v.unknown(),
      sum: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
    }),
  ),
  at: described(v.array(whole), 'Times of the steps in milliseconds after createdAt.'),
  extras: v.optional(v.array(extras)),
  seal: described(sha256, 'SHA-256 of the compact JSON of all other members.'),
})
