import { toArgumentText } from '@retake/providers'
import type { JsonObject, JsonValue, Message, MessagePart, ToolResultPart } from '@retake/trace'
import type { AdapterMessage } from './adapter.ts'

/**
 * The messages of a trace as an adapter gets them; results of tools are messages of their own. `createdAt` is that of all.
 * @param report called with the index of a message, and what of it has no place in an adapter's request
 */
export function toMessages(
  messages: readonly Message[],
  createdAt: Date,
  report: (message: number, what: string) => void,
): AdapterMessage[] {
  const written: AdapterMessage[] = []
  const add = (message: Pick<AdapterMessage, 'role' | 'content'> & Partial<AdapterMessage>) =>
    written.push({ id: `message-${written.length}`, status: 'complete', createdAt, ...message })
  for (const [index, { role, content, name }] of messages.entries()) {
    if (name !== undefined) report(index, 'the name of its author')
    if (typeof content === 'string') {
      add({ role, content })
      continue
    }
    for (const what of unplaced(content)) report(index, what)
    for (const part of content) if (part.type === 'tool_result') add(toResult(part))
    const said = content.filter(({ type }) => type !== 'tool_result')
    const toolCalls = said.flatMap(toCall)
    const text = said.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n\n')
    if (said.length > 0 || content.length === 0) {
      add({ role, content: text, ...(toolCalls.length > 0 && { toolCalls }) })
    }
  }
  return written
}

const toResult = (part: ToolResultPart) => ({
  role: 'tool' as const,
  toolCallId: part.toolCallId,
  ...('error' in part ? { content: part.error, status: 'error' as const } : { content: textOf(part.result) }),
})

const textOf = (result: JsonValue): string => (typeof result === 'string' ? result : JSON.stringify(result))

const toCall = (part: MessagePart): JsonObject[] => {
  if (part.type !== 'tool_use') return []
  const { toolCallId: id, toolName: name, toolInput, inputText } = part
  return [
    {
      id,
      name,
      args: inputText === undefined ? toolInput : toArgumentText({ toolInput, inputText }),
      status: 'complete',
    },
  ]
}

function unplaced(content: readonly MessagePart[]): string[] {
  const texts = content.filter(({ type }) => type === 'text')
  const afterCall = content.findIndex(({ type }) => type === 'tool_use')
  return [
    ...(texts.length > 1 ? ['where one of its texts ends'] : []),
    ...(afterCall !== -1 && content.slice(afterCall).some(({ type }) => type === 'text') ? ['text after a call'] : []),
    ...(content.some(({ type }) => type === 'media') ? ['media'] : []),
    ...(content.some(({ type }) => type === 'refusal') ? ['that it is a refusal'] : []),
    ...(content.some((part) => part.type === 'tool_use' && part.kind) ? ['that a call is of a custom tool'] : []),
    ...(content.some((part) => part.type === 'tool_result' && 'result' in part && typeof part.result !== 'string')
      ? ['that a result is no text']
      : []),
  ]
}
