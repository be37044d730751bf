import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { singleCall } from '../tool-calls.ts'
import type { TraceStepType } from '../trace.ts'

/** The latest call and the latest result of every tool call id, up to a step of a trace. */
export interface References {
  call(id: string): JsonObject | undefined
  result(id: string): JsonObject | undefined
  /** Takes the calls and results of a step in. */
  add(type: TraceStepType, payload: JsonValue): void
}

export function createReferences(): References {
  const calls = new Map<string, JsonObject>()
  const results = new Map<string, JsonObject>()
  return {
    call: (id) => calls.get(id),
    result: (id) => results.get(id),
    add(type, payload) {
      if (!isJsonObject(payload)) return
      if (type === 'model_output') for (const call of callsIn(payload)) keep(calls, call)
      if (type === 'tool_result') keep(results, payload)
    },
  }
}

/** Whatever stands in a trace, so every shape is looked at before it is believed. */
function callsIn(payload: JsonObject): JsonObject[] {
  if (payload.type === 'tool_call') return [singleCall(payload)]
  return payload.type === 'tool_calls' && Array.isArray(payload.calls) ? payload.calls.filter(isJsonObject) : []
}

function keep(known: Map<string, JsonObject>, value: JsonObject): void {
  if (typeof value.toolCallId === 'string') known.set(value.toolCallId, value)
}

/** The message part that stands for a call. */
export const callPart = (call: JsonObject): JsonObject => ({ type: 'tool_use', ...call })

/** The message part that stands for a result. */
export const resultPart = (result: JsonObject): JsonObject => ({ type: 'tool_result', ...result })
