import { compareValues, type Difference, formatValue } from '@retake/compare'
import type { StoredResult } from '@retake/providers'
import { type JsonValue, toolCallsOf } from '@retake/trace'
import { CassetteMismatchError } from '../errors.ts'
import { brokenOff, headline, listed, wasBrokenOff } from './explain.ts'
import { missMessage, type Place } from './miss-message.ts'
import { formatProgress } from './progress.ts'
import type { RecordedRun, RecordedTool } from './recorded-run.ts'

/** The error for a tool that was called with other arguments than recorded, or not at all in the recording. */
export function explainToolMiss(miss: ToolMiss, run: RecordedRun, place: Place): CassetteMismatchError {
  const { tool, closest, differences, received } = miss
  const head = closest
    ? `tool "${tool}" was called with other arguments than recorded: ${headline(differences)}`
    : `tool "${tool}" was called${formatUnexpected(run.tools.filter(({ call }) => call.toolName === tool))}`
  const more = wasBrokenOff(run) ? [brokenOff] : []
  const evidence = closest ? listed(differences) : [`  called with  ${formatValue(received)}`]
  const soFar = formatProgress(run.calls)
  const { message, brief } = missMessage(place, { head, step: closest?.step, soFar, evidence, more })
  return new CassetteMismatchError(message, {
    path: place.path,
    test: place.test,
    step: closest?.step ?? -1,
    request: closest?.asked?.number ?? 0,
    requests: run.calls.length,
    differences,
    tool,
    ...(place.inForce && { inForce: place.inForce }),
    ...(closest && {
      brief,
      arguments: { recorded: closest.call.toolInput, received, asked: askedInput(closest) },
    }),
  })
}

const formatUnexpected = (recorded: readonly RecordedTool[]): string => {
  if (recorded.length === 0) return ', but the recording has no call of it'
  if (recorded.some(({ used }) => !used)) return ' before the model asked for it'
  return ` more often than recorded (${recorded.length === 1 ? 'once' : `${recorded.length} times`})`
}

/** A call of a wrapped tool that the cassette does not have. */
export interface ToolMiss {
  tool: string
  /** The recorded call that it came closest to. */
  closest: RecordedTool | undefined
  differences: Difference[]
  received: JsonValue
}

/** What the recorded reply asked for. */
function askedInput({ asked, call }: RecordedTool): JsonValue | undefined {
  const last = asked?.attempts.at(-1)
  if (!last || !('output' in last)) return undefined
  return toolCallsOf(last.output).find(({ toolCallId }) => toolCallId === call.toolCallId)?.toolInput
}

/** `tools: 'run'`: a tool that gave something else than recorded. */
interface ToolResult {
  tool: RecordedTool
  recorded: StoredResult
  given: StoredResult
}

export function explainToolResult({ tool, recorded, given }: ToolResult, run: RecordedRun, place: Place) {
  const { toolName } = tool.call
  const differences = compareValues(recorded, given)
  const head = `tool "${toolName}" gave something else than recorded: ${headline(differences)}`
  const soFar = formatProgress(run.calls)
  const evidence = listed(differences)
  const { message, brief } = missMessage(place, { head, step: tool.step + 1, soFar, evidence })
  return new CassetteMismatchError(message, {
    path: place.path,
    test: place.test,
    step: tool.step + 1,
    request: tool.asked?.number ?? 0,
    requests: run.calls.length,
    differences,
    tool: toolName,
    gave: true,
    ...(place.inForce && { inForce: place.inForce }),
    brief,
  })
}
