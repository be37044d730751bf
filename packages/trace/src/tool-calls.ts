import { isJsonObject, type JsonObject, type JsonValue } from './json/json.ts'
import type { ModelOutput, ToolCall, Trace } from './trace.ts'

const callMembers = ['toolCallId', 'toolName', 'toolInput', 'kind', 'inputText'] as const

/** The calls a reply asked for, in its order; both call shapes of the format. Empty for an answer. */
export function toolCallsOf(output: ModelOutput): ToolCall[] {
  if (output.type === 'tool_calls') return output.calls
  return output.type === 'tool_call' ? [singleCall(output) as ToolCall] : []
}

/** The call of the single-call shape: its members in the order they stand. */
export const singleCall = (payload: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => callMembers.some((member) => member === name)))

/** The text of a final answer; undefined for a reply that asks for tools. */
export const finalAnswerOf = (output: ModelOutput): string | undefined =>
  output.type === 'final_answer' ? output.text : undefined

/**
 * Names of the tools a run called, in order: calls that the model asked for, whether or not they were recorded as
 * steps, and calls of origin `agent` or `mcp`. Other origins are no tools.
 */
export function toolPathOf(trace: Trace): string[] {
  const asked = new Set<string>()
  return trace.steps.flatMap(({ type, payload }) => {
    if (type === 'model_output' && isJsonObject(payload)) {
      const calls = toolCallsOf(payload as ModelOutput)
      for (const { toolCallId } of calls) asked.add(toolCallId)
      return calls.map(({ toolName }) => toolName)
    }
    if (type !== 'tool_call' || !isJsonObject(payload)) return []
    return isOnPath(payload.origin) && !asked.has(payload.toolCallId as string) ? [payload.toolName as string] : []
  })
}

const isOnPath = (origin: JsonValue | undefined): boolean =>
  origin === undefined || origin === 'agent' || origin === 'mcp'
