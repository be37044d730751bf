import { ConfigError, canonicalJson, deepFreeze, formatPath, type JsonValue, toStoredJson } from '@retake/trace'
import * as v from 'valibot'
import { firstIssue, objectIssue, portableId } from './application-trace.ts'

/** What a renderer made of one turn, apart from how it looks. */
export interface SemanticOutcome {
  readonly turnId: string
  readonly kind: string
  /** None is not the same as null. */
  readonly value?: JsonValue
}

export interface RendererOutcome {
  readonly renderer: string
  /** At most 10,000, one for each pair of turn and kind. */
  readonly outcomes: readonly SemanticOutcome[]
}

export interface ParityMismatch {
  readonly renderer: string
  readonly turnId: string
  readonly kind: string
  /** What the first renderer has; absent where it has none. */
  readonly expected?: SemanticOutcome
  /** What this renderer has; absent where it has none. */
  readonly actual?: SemanticOutcome
}

export interface RendererParityReport {
  readonly ok: boolean
  /** The first renderer, which the others are compared with. */
  readonly baseline: string
  readonly renderers: readonly string[]
  readonly mismatches: readonly ParityMismatch[]
}

const renderers = v.pipe(
  v.array(
    v.strictObject(
      {
        renderer: portableId,
        outcomes: v.pipe(
          v.array(
            v.strictObject(
              { turnId: portableId, kind: portableId, value: v.optional(v.unknown()) },
              objectIssue('An outcome'),
            ),
            'Outcomes are a list.',
          ),
          v.maxLength(10_000, 'A renderer has at most 10,000 outcomes.'),
        ),
      },
      objectIssue('A renderer result'),
    ),
    'Renderer results are a list.',
  ),
  v.minLength(2, 'At least two renderer results are compared.'),
)

/**
 * Compares what several renderers made of the same turns, by turn and kind; the first one is the baseline. The order of
 * members does not count.
 * @returns a frozen report; mismatches renderer by renderer, in the order in which the outcomes first stand
 * @throws ConfigError for input that cannot be compared
 */
export function compareRendererOutcomes(input: readonly RendererOutcome[]): RendererParityReport {
  const given = toStoredJson(input, 'the outcomes of renderers')
  const issue = firstIssue(renderers, given)
  if (issue) refuse(issue.reason, formatPath(issue.path))
  const [baseline, ...others] = (given as unknown as RendererOutcome[]).map(indexed)
  if (!baseline) return refuse('At least two renderer results are compared.')
  const names = [baseline, ...others].map(({ renderer }) => renderer)
  if (new Set(names).size < names.length) refuse('Renderer ids must be unique.')
  const keys = new Set([baseline, ...others].flatMap(({ byKey }) => [...byKey.keys()]))
  const mismatches = others.flatMap(({ renderer, byKey }) =>
    [...keys].flatMap((key) => toMismatch(renderer, baseline.byKey.get(key), byKey.get(key))),
  )
  return deepFreeze({ ok: mismatches.length === 0, baseline: baseline.renderer, renderers: names, mismatches })
}

function indexed({ renderer, outcomes }: RendererOutcome) {
  // No portable id holds a space.
  const byKey = new Map(outcomes.map((outcome) => [`${outcome.turnId} ${outcome.kind}`, outcome]))
  if (byKey.size < outcomes.length) refuse('Turn and kind pairs must be unique per renderer.', renderer)
  return { renderer, byKey }
}

function toMismatch(
  renderer: string,
  expected: SemanticOutcome | undefined,
  actual: SemanticOutcome | undefined,
): ParityMismatch[] {
  const one = expected ?? actual
  if (!one || (expected && actual && canonicalJson(expected) === canonicalJson(actual))) return []
  const { turnId, kind } = one
  return [{ renderer, turnId, kind, ...(expected && { expected }), ...(actual && { actual }) }]
}

function refuse(reason: string, where?: string): never {
  throw new ConfigError(`renderer outcomes cannot be compared: ${reason}${where ? `\n  ${where}` : ''}`, {
    ...(where && { where }),
  })
}
