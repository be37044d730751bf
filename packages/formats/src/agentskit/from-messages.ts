import { createCallNames, createMessageHistory, readArguments } from '@retake/providers'
import { isJsonObject, type JsonObject, type Message, type MessagePart, type ToolUsePart } from '@retake/trace'
import type { AdapterMessage } from './adapter.ts'

/** The messages of an adapter's request as those of a trace. Ids of calls stay the adapter's own. */
export function fromMessages(given: readonly AdapterMessage[]): Message[] {
  const names = createCallNames()
  const history = createMessageHistory()
  for (const message of given) {
    if (message.role === 'tool') {
      history.addResult(toResult(message, names.take(message.toolCallId ?? '')))
      continue
    }
    const calls = toCalls(message)
    if (calls.length > 0) names.begin()
    for (const { toolCallId, toolName } of calls) names.add(toolCallId, toolName)
    history.add(toTurn(message.role, message.content, calls))
  }
  return history.read().messages
}

function toTurn(role: Message['role'], content: string, calls: ToolUsePart[]): Message {
  if (calls.length === 0) return { role, content }
  return { role, content: [...(content === '' ? [] : [{ type: 'text' as const, text: content }]), ...calls] }
}

const toResult = ({ toolCallId = '', content, status }: AdapterMessage, toolName = 'unknown'): MessagePart =>
  status === 'error'
    ? { type: 'tool_result', toolCallId, toolName, error: content }
    : { type: 'tool_result', toolCallId, toolName, result: content }

/** Arguments are a value, or the text that the model wrote. */
const toCalls = ({ toolCalls }: AdapterMessage): ToolUsePart[] =>
  (Array.isArray(toolCalls) ? toolCalls : []).filter(isJsonObject).map(({ id, name, args }: JsonObject) => ({
    type: 'tool_use',
    toolCallId: String(id ?? ''),
    toolName: String(name ?? 'unknown'),
    ...(typeof args === 'string' ? readArguments(args) : { toolInput: args ?? {} }),
  }))
