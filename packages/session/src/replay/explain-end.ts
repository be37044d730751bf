import { compareValues, equalJson, formatValue } from '@retake/compare'
import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import { CassetteMismatchError } from '../errors.ts'
import { headline, listed } from './explain.ts'
import { missMessage, type Place } from './miss-message.ts'
import type { RecordedRun } from './recorded-run.ts'

/** The error for a run that ended otherwise than recorded; `received` is the terminal step that it would write. */
export function explainEnd(
  received: JsonObject | undefined,
  { trace, calls }: RecordedRun,
  place: Place,
): CassetteMismatchError | undefined {
  const last = trace.steps.at(-1)
  const recorded = last?.type === 'metadata' && isTerminal(last.payload) ? last.payload : undefined
  if (equalJson(recorded ?? null, received ?? null)) return undefined
  const differences = compareValues(recorded ?? null, received ?? null)
  const isSameKind = recorded?.event === received?.event
  const head = `the run ended otherwise than recorded${isSameKind ? `: another ${headline(differences)}` : ''}`
  const evidence = isSameKind
    ? listed(differences)
    : [`  recorded  ${describeEnd(recorded)}`, `  now       ${describeEnd(received)}`]
  return new CassetteMismatchError(missMessage(place, { head, step: last?.index, evidence }).message, {
    path: place.path,
    test: place.test,
    step: last?.index ?? -1,
    request: calls.length,
    requests: calls.length,
    differences,
  })
}

const isTerminal = (payload: JsonValue): payload is JsonObject =>
  isJsonObject(payload) && (payload.event === 'run_completed' || payload.event === 'run_failed')

/** `success: "Done."`, `process_exit, exitCode 3`. */
function describeEnd(payload: JsonObject | undefined): string {
  if (!payload) return 'without an answer'
  const { event, status, reason, result, ...rest } = payload
  if (event === 'run_completed') return `${status}: ${formatValue(result)}`
  return [reason, ...Object.entries(rest).map(([name, value]) => `${name} ${formatValue(value)}`)].join(', ')
}
