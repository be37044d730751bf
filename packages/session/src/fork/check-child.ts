import { relative } from 'node:path'
import { equalJson } from '@retake/compare'
import { toModelOutput } from '@retake/providers'
import {
  type CassetteFile,
  type JsonValue,
  type ModelOutput,
  type ToolResultPayload,
  type TraceStep,
  toolCallsOf,
} from '@retake/trace'
import { ForkStaleError } from '../errors.ts'
import type { Redaction } from '../redact/redaction.ts'
import { missMessage, type Place } from '../replay/miss-message.ts'
import type { ReadFrom } from '../replay/read-from.ts'
import type { ScriptedTurn } from '../script/read-script.ts'

interface Fork {
  parent: ReadFrom
  /** Path of the parent. */
  from: string
  point: TraceStep
  changed: ToolResultPayload | undefined
  /** What the model is to say; undefined for a live one. */
  script: readonly ScriptedTurn[] | undefined
  redaction: Redaction | undefined
}

/**
 * A recorded fork is replayed only as long as forking again would begin in the same way.
 * @throws ForkStaleError naming what has changed since
 */
export function checkChild(child: CassetteFile, fork: Fork, place: Place): void {
  const stale = findStale(child, fork)
  if (!stale) return
  const { reason, step } = stale
  throw new ForkStaleError(
    missMessage(place, {
      head: `the recorded fork is out of date: ${reason}`,
      step,
      evidence: [`  parent    ${relative(process.cwd(), fork.from)}`],
    }).message,
    { path: place.path, parent: fork.from, test: place.test, reason, ...(step !== undefined && { step }) },
  )
}

function findStale({ trace }: CassetteFile, fork: Fork): { reason: string; step?: number } | undefined {
  const { parent, point, changed, script, redaction } = fork
  const { steps } = trace
  if (trace.parentId !== parent.trace.id) return { reason: 'it was forked from another run' }
  const other = parent.trace.steps.findIndex(({ hash }, index) => index < point.index && steps[index]?.hash !== hash)
  if (other >= 0) return { reason: `its parent has changed at step ${other}`, step: other }
  if (trace.forkedFromStepId !== point.id) return { reason: 'it was forked at another step' }
  const at = steps[point.index]
  if (changed && !equalJson(at?.payload ?? null, redaction?.result(changed) ?? changed)) {
    return { reason: 'the tool is to give something else at the fork point', step: point.index }
  }
  if (!script) return undefined
  const said = steps.filter(({ type, index }) => type === 'model_output' && index >= point.index)
  if (said.length > script.length)
    return { reason: `the script is shorter than it was`, step: said[script.length]?.index ?? 0 }
  for (const [n, entry] of script.entries()) {
    const step = said[n]
    if (!step) return { reason: `the script is longer than it was: reply ${n + 1} was not given` }
    if (!equalJson(withoutIds(step.payload as ModelOutput), fromScript(entry, redaction))) {
      return { reason: `reply ${n + 1} of the script is another`, step: step.index }
    }
  }
  return undefined
}

const fromScript = (turn: ScriptedTurn, redaction: Redaction | undefined): JsonValue =>
  withoutIds(toModelOutput(redaction?.reply({ turn, extras: {} }).turn ?? turn))

/** Calls get fresh ids each time. */
function withoutIds(output: ModelOutput): JsonValue {
  const calls = toolCallsOf(output).map(({ toolName, toolInput }) => ({ toolName, toolInput }))
  const { parts: _, ...rest } = output
  return { ...rest, calls }
}
