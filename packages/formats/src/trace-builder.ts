import { equalJson } from '@retake/compare'
import { createCallIds, type Reply, toModelError, toModelInput, toModelOutput, type WireError } from '@retake/providers'
import {
  type JsonObject,
  type JsonValue,
  type ModelInput,
  type StepExtras,
  type ToolCallPayload,
  type ToolUsePart,
  type TraceHeader,
  TraceRecorder,
} from '@retake/trace'
import type { Run } from './run-format.ts'

/** One run of a tool as another format tells it. Times are milliseconds since the epoch. */
export interface ToolRun {
  toolName: string
  /** Undefined where the format does not tell it apart from what the model asked for. */
  toolInput: JsonValue | undefined
  startedAt: number
  /** Absent where no result was recorded. */
  outcome?: { endedAt: number; result: { result: JsonValue } | { error: string; errorName?: string } }
  /** Who asked, where it is no reply. [the reply that asked for the tool, or else `agent`] */
  origin?: NonNullable<ToolCallPayload['origin']>
}

/** Lays the calls of another format out as a trace: ids become `call-N`, tools are given to the calls that asked for them. */
export interface TraceBuilder {
  input(input: ModelInput, at: number): void
  reply(reply: Reply, at: number): void
  failure(error: WireError, at: number): void
  /** @returns the input that the model asked for, where that is another than the tool was run with */
  tool(run: ToolRun): JsonValue | undefined
  note(payload: JsonObject, at: number): void
  /** The run so far. */
  toRun(): Run
}

export function createTraceBuilder(header: TraceHeader): TraceBuilder {
  const recorder = new TraceRecorder(header)
  const ids = createCallIds()
  const extras: StepExtras[] = []
  const open: ToolUsePart[] = []

  function claim({ toolName, toolInput, origin }: ToolRun): ToolUsePart | undefined {
    if (origin) return undefined
    const named = open.filter((call) => call.toolName === toolName)
    const equal = named.find((call) => toolInput !== undefined && equalJson(call.toolInput, toolInput))
    const call = equal ?? named[0]
    if (call) open.splice(open.indexOf(call), 1)
    return call
  }

  return {
    input: (input, at) => void recorder.append('model_input', toModelInput(ids.inRequest(input)), at),
    reply(reply, at) {
      const turn = ids.inReply(reply.turn)
      const { index: step } = recorder.append('model_output', toModelOutput(turn), at)
      if (Object.keys(reply.extras).length > 0) extras.push({ step, ...reply.extras })
      open.push(...turn.parts.filter((part): part is ToolUsePart => part.type === 'tool_use'))
    },
    failure(error, at) {
      const parts = error.parts && ids.inReply({ parts: error.parts, stop: 'end' }).parts
      recorder.append('metadata', toModelError({ ...error, ...(parts && { parts }) }), at)
    },
    tool(run) {
      const call = claim(run)
      const { toolName, startedAt, outcome } = run
      const toolCallId = call?.toolCallId ?? ids.next()
      const toolInput = call?.toolInput ?? run.toolInput ?? {}
      const origin = call ? {} : { origin: run.origin ?? 'agent' }
      recorder.append('tool_call', { toolCallId, toolName, toolInput, ...origin }, startedAt)
      if (outcome) recorder.append('tool_result', { toolCallId, toolName, ...outcome.result }, outcome.endedAt)
      return call && run.toolInput !== undefined && !equalJson(call.toolInput, run.toolInput)
        ? call.toolInput
        : undefined
    },
    note: (payload, at) => void recorder.append('metadata', payload, at),
    toRun: () => ({ trace: recorder.toTrace(), extras }),
  }
}
