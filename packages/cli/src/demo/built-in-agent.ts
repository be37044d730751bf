import { continueTrace, type NewStep, nextToolCallId, toHistory } from '@retake/compare'
import type { JsonValue, Message, ModelOutput, ToolCall, ToolDefinition, Trace } from '@retake/trace'

/** An agent whose model is a function: nothing it does needs a network. */
export interface BuiltInAgent {
  model: string
  systemPrompt: string
  tools: readonly BuiltInTool[]
  /** What the model says to a conversation: an answer, or a call without its id. */
  reply(messages: readonly Message[]): string | Omit<ToolCall, 'toolCallId'>
}

export interface BuiltInTool extends ToolDefinition {
  run(input: JsonValue): JsonValue
}

const maxSteps = 8

/**
 * Runs the agent from where a trace ends: from its last request and what came of it, or with `prompt`.
 * Its replies have the single-call shape of the format page ("Model output shapes").
 * @param now milliseconds since the epoch, a later one each time
 */
export const runBuiltInAgent = (agent: BuiltInAgent, start: Trace, prompt: string, now: () => number): Trace => {
  const { model, systemPrompt, tools } = agent
  const definitions = tools.map(({ run: _, ...definition }) => definition)
  let trace = start
  const append = (...steps: Omit<NewStep, 'timestamp'>[]) => {
    trace = continueTrace(
      trace,
      steps.map((step) => ({ ...step, timestamp: now() })),
    )
  }
  const fail = (reason: string, more: object) =>
    append({ type: 'metadata', payload: { event: 'run_failed', status: 'error', reason, ...more } })

  for (let step = 0; step < maxSteps; step++) {
    const history = toHistory(trace)
    const messages = history.length > 0 ? history : [{ role: 'user' as const, content: prompt }]
    append({ type: 'model_input', payload: { messages, tools: definitions, systemPrompt, model } })
    const said = agent.reply(messages)
    if (typeof said === 'string') {
      append({ type: 'model_output', payload: { type: 'final_answer', text: said } satisfies ModelOutput })
      append({ type: 'metadata', payload: { event: 'run_completed', status: 'success', result: said } })
      return trace
    }
    const call = { toolCallId: nextToolCallId(trace), ...said }
    append({ type: 'model_output', payload: { type: 'tool_call', ...call } })
    const { toolCallId, toolName, toolInput } = call
    const tool = tools.find(({ name }) => name === toolName)
    if (!tool) {
      fail('unknown_tool', { toolName })
      return trace
    }
    append({ type: 'tool_call', payload: { toolCallId, toolName, toolInput } })
    append({ type: 'tool_result', payload: { toolCallId, toolName, result: tool.run(toolInput) } })
  }
  fail('max_steps_exceeded', { maxSteps })
  return trace
}
