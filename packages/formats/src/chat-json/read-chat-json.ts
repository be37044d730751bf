import { basename } from 'node:path'
import {
  Fault,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  type Message,
  parseJson,
  readJson,
  reportFaults,
  type ToolDefinition,
  TraceRecorder,
} from '@retake/trace'
import type { Loss } from '../loss.ts'
import type { ReadRun } from '../run-format.ts'

/**
 * The run in a chat transcript: `{ tools?, messages }` with messages of user, assistant and tool in the shape of a chat
 * completion, each with a timestamp in milliseconds; one call a turn, its result next, an answer at the end.
 * @throws CassetteCorruptError with line and column
 */
export function readChatJson(text: string, path?: string, id = idOf(path)): ReadRun {
  const value = readJson(text, path)
  return reportFaults(text, path, () => {
    const chat = isJsonObject(value) ? value : fail('the top level is no object', [])
    const messages = toMessages(chat.messages)
    const createdAt = Number.isSafeInteger(chat.created) ? (chat.created as number) : (messages[0]?.timestamp ?? 0)
    const recorder = new TraceRecorder({ id, createdAt })
    layOut(recorder, messages, toTools(chat.tools))
    return {
      trace: recorder.toTrace(),
      extras: [],
      lost: lossesOf(chat),
      missing: [{ where: '', what: 'the name of the model' }],
    }
  })
}

const idOf = (path = 'chat'): string => basename(path).replace(/\.json$/i, '')

function fail(reason: string, path: JsonPath): never {
  throw new Fault(reason, path)
}

interface ChatMessage {
  role: 'user' | 'assistant' | 'tool'
  timestamp: number
  text: string
  call: { id: string; toolName: string; toolInput: JsonValue } | undefined
  callId: JsonValue | undefined
  path: JsonPath
}

function toMessages(list: JsonValue | undefined): ChatMessage[] {
  if (!Array.isArray(list)) return fail('messages is no list', ['messages'])
  const messages = list.map((message, index) => toMessage(message, ['messages', index]))
  for (const [index, { timestamp, path }] of messages.entries()) {
    const before = messages[index - 1]
    if (before && before.timestamp > timestamp)
      fail('the timestamp is before that of the message before', [...path, 'timestamp'])
  }
  const last = messages.at(-1)
  if (last?.role !== 'assistant' || last.call)
    fail('the last message is no answer of the assistant', last?.path ?? ['messages'])
  return messages
}

function toMessage(message: JsonValue, path: JsonPath): ChatMessage {
  if (!isJsonObject(message)) return fail('a message is no object', path)
  const { role, timestamp, content, tool_calls: calls, tool_call_id: callId } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'tool')
    return fail('a role is user, assistant or tool', [...path, 'role'])
  if (!Number.isSafeInteger(timestamp))
    return fail('a timestamp is a whole number of milliseconds', [...path, 'timestamp'])
  const call = calls === undefined || calls === null ? undefined : toCall(calls, [...path, 'tool_calls'])
  const isText = typeof content === 'string'
  if (!isText && !(role === 'assistant' && call)) return fail('content is no text', [...path, 'content'])
  if (call && role !== 'assistant') return fail('only the assistant calls tools', [...path, 'tool_calls'])
  return { role, timestamp: timestamp as number, text: isText ? content : '', call, callId, path }
}

function toCall(calls: JsonValue, path: JsonPath): ChatMessage['call'] {
  const [call, ...others] = Array.isArray(calls) ? calls : []
  if (!isJsonObject(call) || others.length > 0) return fail('a turn has exactly one tool call', path)
  const { id, function: called } = call
  if (typeof id !== 'string' || !isJsonObject(called) || typeof called.name !== 'string')
    return fail('a call has an id and a function with a name', [...path, 0])
  const toolInput = typeof called.arguments === 'string' ? parseJson(called.arguments) : undefined
  if (toolInput === undefined) return fail('the arguments of a call are no JSON', [...path, 0, 'function', 'arguments'])
  return { id, toolName: called.name, toolInput }
}

function toTools(list: JsonValue | undefined): ToolDefinition[] {
  if (list === undefined) return []
  if (!Array.isArray(list)) return fail('tools is no list', ['tools'])
  return list.map((tool, index) => {
    const called = isJsonObject(tool) && isJsonObject(tool.function) ? tool.function : {}
    const { name, description, parameters } = called
    if (typeof name !== 'string') return fail('a tool has a function with a name', ['tools', index])
    return {
      name,
      description: typeof description === 'string' ? description : '',
      ...(parameters !== undefined && { inputSchema: parameters }),
    }
  })
}

function layOut(recorder: TraceRecorder, messages: readonly ChatMessage[], tools: ToolDefinition[]): void {
  const history: Message[] = []
  let calls = 0
  for (const [index, { role, text, timestamp: at, call, path }] of messages.entries()) {
    if (role === 'user') history.push({ role, content: text })
    if (role === 'tool' && !messages[index - 1]?.call) fail('a result does not follow its call', path)
    if (role !== 'assistant') continue
    recorder.append('model_input', { messages: [...history], tools }, at)
    if (!call) {
      recorder.append('model_output', { type: 'final_answer', text }, at)
      history.push({ role, content: text })
      continue
    }
    const answer = messages[index + 1]
    if (answer?.role !== 'tool' || answer.callId !== call.id)
      fail('the next message is not the result of the call', path)
    const { toolName, toolInput } = call
    const toolCallId = `call-${calls++}`
    const asked = { toolCallId, toolName, toolInput }
    // Written as the published converter does, unless that would lose the text beside the call.
    recorder.append(
      'model_output',
      text === '' ? { type: 'tool_call', ...asked } : { type: 'tool_calls', calls: [asked], text },
      at,
    )
    recorder.append('tool_call', asked, at)
    const result = { toolCallId, toolName, result: parseJson(answer.text) ?? answer.text }
    recorder.append('tool_result', result, answer.timestamp)
    history.push(
      { role, content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), { type: 'tool_use', ...asked }] },
      { role: 'user', content: [{ type: 'tool_result', ...result }] },
    )
  }
  const { text = '', timestamp = 0 } = messages.at(-1) ?? {}
  recorder.append('metadata', { event: 'run_completed', status: 'success', result: text }, timestamp)
}

const lossesOf = ({ messages: _, tools: __, created: ___, ...others }: JsonObject): Loss[] =>
  Object.keys(others).map((where) => ({ where, what: 'the member has no place in a trace' }))
