import type { TraceDiff } from '@retake/compare'
import { type CassetteFile, createChainHasher, type StepExtras, storedPayloads, type TraceStep } from '@retake/trace'
import type { RecordedRun } from '../record/to-trace.ts'
import { keepTimes } from './kept-times.ts'

/**
 * The recording that replaces an older one (format page, rule 12): the steps before the first difference stay as they
 * are, and a later step that its file holds in the same words keeps its time and extras. So a review shows what changed.
 *
 * @param diff the semantic difference of the two runs
 */
export function keepUnchanged(old: CassetteFile, { trace, extras }: RecordedRun, diff: TraceDiff): RecordedRun {
  const { sharedPrefixLength: shared } = diff
  const merged = [...old.trace.steps.slice(0, shared), ...trace.steps.slice(shared)]
  const twins = findTwins(old, merged, diff)
  const partners = new Map(diff.aligned.map(({ before, after }) => [after, before]))
  const places = twins.map((before, index) => before ?? requestInPlace(trace.steps[index], index, twins, partners))
  const earlier = places.map((before) => timeOf(old.trace.steps[before ?? -1], old.trace.createdAt))
  const times = keepTimes(
    trace.steps.map(({ timestamp }) => timestamp - trace.createdAt),
    earlier,
    shared,
  )
  // A run that differs from its first request on began when it began.
  const createdAt = shared === 0 ? trace.createdAt : old.trace.createdAt
  const steps = chain(
    merged.map((step, index) => ({ ...step, timestamp: createdAt + (times[index] ?? 0) })),
    trace.id,
    shared,
  )
  return { trace: { ...trace, createdAt, steps }, extras: keepExtras(old.extras, extras, twins) }
}

/** For each step of the merged run the index of the old one that it repeats. */
function findTwins(old: CassetteFile, merged: TraceStep[], { aligned, sharedPrefixLength }: TraceDiff) {
  const before = storedPayloads(old)
  const after = storedPayloads({
    trace: { ...old.trace, steps: chain(merged, old.trace.id, sharedPrefixLength) },
    format: old.format,
  })
  const pairs = aligned.filter((pair) => before[pair.before ?? -1] === after[pair.after ?? -1])
  const found = new Map(pairs.map((pair) => [pair.after, pair.before]))
  return merged.map((_, index) => (index < sharedPrefixLength ? index : found.get(index)))
}

/**
 * The index of an old request that changed between two steps that did not: it keeps its time, since its reply keeps how
 * long it took.
 */
function requestInPlace(
  step: TraceStep | undefined,
  index: number,
  twins: readonly (number | undefined)[],
  partners: ReadonlyMap<number | undefined, number | undefined>,
): number | undefined {
  const place = step?.type === 'model_input' ? partners.get(index) : undefined
  const isBetween = place !== undefined && twins[index - 1] === place - 1 && twins[index + 1] === place + 1
  return isBetween ? place : undefined
}

const timeOf = (step: TraceStep | undefined, createdAt: number): number | undefined =>
  step && step.timestamp - createdAt

/** The steps of one chain; the first `intact` ones are links already, if their times are the ones they had. */
function chain(steps: readonly TraceStep[], traceId: string, intact: number): TraceStep[] {
  const hash = createChainHasher()
  let prevHash: string | null = null
  return steps.map((step, index) => {
    const { type, timestamp, payload } = step
    const hashed = { index, type, timestamp, payload, prevHash }
    const link: TraceStep = {
      ...(index < intact ? step : {}),
      id: index < intact ? step.id : `${traceId}:${index}`,
      ...hashed,
      hash: hash(hashed),
    }
    prevHash = link.hash
    return link
  })
}

function keepExtras(
  old: readonly StepExtras[],
  recorded: readonly StepExtras[],
  twins: readonly (number | undefined)[],
): StepExtras[] {
  const [before, after] = [old, recorded].map((list) => new Map(list.map((entry) => [entry.step, entry])))
  return twins.flatMap((twin, step) => {
    const entry = twin === undefined ? after?.get(step) : before?.get(twin)
    return entry ? [{ ...entry, step }] : []
  })
}
