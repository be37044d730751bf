import {
  type Message,
  type MessagePart,
  type ModelInput,
  type ModelOutput,
  type ToolResultPart,
  type ToolResultPayload,
  type Trace,
  toolCallsOf,
} from '@retake/trace'

/**
 * The messages that the next request of a run starts with: those of its last request, then the reply to it and the
 * results that the tools gave. A call that has no result is not in it, and neither is a reply that only asked for such.
 * (Trace format page, "Structured reconstruction".)
 */
export const toHistory = ({ steps }: Pick<Trace, 'steps'>): Message[] => {
  const from = steps.findLastIndex(({ type }) => type === 'model_input')
  const request = steps[from]?.payload as ModelInput | undefined
  if (!request) return []
  const later = steps.slice(from + 1)
  const reply = later.find(({ type }) => type === 'model_output')?.payload as ModelOutput | undefined
  const results = new Map(
    later.flatMap(({ type, payload }): [string, ToolResultPart][] => {
      const result = payload as ToolResultPayload
      return type === 'tool_result' ? [[result.toolCallId, toResultPart(result)]] : []
    }),
  )
  return [...request.messages, ...(reply ? toTurns(reply, results) : [])]
}

const toResultPart = (payload: ToolResultPayload): ToolResultPart => {
  const { toolCallId, toolName } = payload
  return 'error' in payload
    ? { type: 'tool_result', toolCallId, toolName, error: payload.error }
    : { type: 'tool_result', toolCallId, toolName, result: payload.result }
}

/** One turn with every call, after what the model wrote beside them, and one with every result, in the order of calls. */
const toTurns = (reply: ModelOutput, results: ReadonlyMap<string, ToolResultPart>): Message[] => {
  if (reply.type === 'final_answer') return [{ role: 'assistant', content: reply.text }]
  const answered = toolCallsOf(reply).flatMap((call) => {
    const result = results.get(call.toolCallId)
    return result ? [{ call, result }] : []
  })
  if (answered.length === 0) return []
  const text = reply.type === 'tool_calls' && reply.text ? [{ type: 'text' as const, text: reply.text }] : []
  const calls = answered.map(({ call }): MessagePart => ({ type: 'tool_use', ...call }))
  return [
    { role: 'assistant', content: [...text, ...calls] },
    { role: 'user', content: answered.map(({ result }) => result) },
  ]
}
