import { isJsonObject, type JsonObject, type JsonValue, type Message, type MessagePart } from '@retake/trace'
import { type CallNames, createCallNames } from '../call-names.ts'
import { createKnown, isNothing, toList, toObject, toText } from '../json-members.ts'
import { keepOthers, toAssistantParts, toContent, toResult } from '../message-content.ts'
import { createMessageHistory, type ReadHistory } from '../message-history.ts'
import type { Unplaced } from '../request-fields.ts'
import { readArguments } from '../tool-arguments.ts'
import { unsupported } from '../unsupported.ts'
import { echoedMembers } from './fields.ts'
import { readParts } from './read-parts.ts'

/**
 * Leading system and developer messages become the system prompt; later ones stay where they are. Tool messages in a row
 * are one turn of results.
 * @throws UnsupportedError for legacy functions and for audio of an earlier reply
 */
export const readMessages = (list: JsonValue[], other: Unplaced): ReadHistory => {
  const history = createMessageHistory()
  const names = createCallNames()
  for (const [index, message] of list.entries()) {
    const path = `messages[${index}]`
    const role = isJsonObject(message) ? toText(message.role) : ''
    if (!isJsonObject(message) || !['system', 'developer', 'user', 'assistant', 'tool', 'function'].includes(role)) {
      other.set(path, message)
      continue
    }
    if (role === 'function') throw unsupported('legacy functions', `${path}.role`)
    if (role === 'tool') history.addResult(readResult(message, path, names, other))
    else if (role === 'assistant') {
      names.begin()
      history.add(readAssistant(message, path, names, other))
    } else {
      const content = toContent(readParts(message.content, `${path}.content`, other))
      keepOthers(message, messageMembers, path, other)
      if (role === 'user') history.add({ role: 'user', content, ...withName(message) })
      else history.addInstruction({ role: 'system', content, ...withName(message) })
    }
  }
  return history.read()
}

const text = ['string'] as const
const ofAnyMessage = ['role', 'content', 'cache_control']
const messageMembers = createKnown(ofAnyMessage, { name: text })
const assistantMembers = createKnown([...ofAnyMessage, 'function_call', 'audio', ...echoedMembers], {
  name: text,
  refusal: text,
  tool_calls: ['list'],
})
/** OpenAI's Agents SDK copies the members of the reply into the text of it. */
const echoedInText = ['role', 'refusal', 'tool_calls', 'function_call', 'audio', ...echoedMembers]
const resultMembers = createKnown([...ofAnyMessage, 'name'], { tool_call_id: text })
const ofAnyCall = ['index', 'extra_content', 'type']
const callMembers = {
  function: createKnown(ofAnyCall, { id: text, function: ['object'] }),
  custom: createKnown(ofAnyCall, { id: text, custom: ['object'] }),
}
const givenMembers = {
  function: createKnown(['parsed_arguments'], { name: text, arguments: ['string', 'object'] }),
  custom: createKnown(['parsed_arguments'], { name: text, input: text }),
}

const withName = ({ name }: JsonObject) => (typeof name === 'string' && name !== '' ? { name } : {})

const readAssistant = (message: JsonObject, path: string, names: CallNames, other: Unplaced): Message => {
  if (!isNothing(message.function_call)) throw unsupported('legacy functions', `${path}.function_call`)
  if (!isNothing(message.audio)) throw unsupported('audio or image output', `${path}.audio`)
  const parts = readParts(message.content, `${path}.content`, other, echoedInText)
  if (toText(message.refusal) !== '') parts.push({ type: 'refusal', text: toText(message.refusal) })
  for (const [nth, call] of toList(message.tool_calls).entries()) {
    const part = readCall(toObject(call), `${path}.tool_calls[${nth}]`, other)
    names.add(part.toolCallId, part.toolName)
    parts.push(part)
  }
  // `prefix: false` is what its absence says.
  const rest = message.prefix === false ? { ...message, prefix: null } : message
  keepOthers(rest, assistantMembers, path, other)
  return { role: 'assistant', content: toContent(toAssistantParts(parts)), ...withName(message) }
}

const readCall = (call: JsonObject, path: string, other: Unplaced): Extract<MessagePart, { type: 'tool_use' }> => {
  const custom = call.type === 'custom' || (call.type !== 'function' && isJsonObject(call.custom))
  const given = toObject(custom ? call.custom : call.function)
  const wrapper = custom ? 'custom' : 'function'
  keepOthers(call, callMembers[wrapper], path, other)
  if ((call.type ?? wrapper) !== wrapper) other.set(`${path}.type`, call.type ?? null)
  keepOthers(given, givenMembers[wrapper], `${path}.${wrapper}`, other)
  const named = { type: 'tool_use', toolCallId: toText(call.id), toolName: toText(given.name) } as const
  if (custom) return { ...named, toolInput: toText(given.input), kind: 'custom' }
  // Ollama and Mistral clients may send the arguments as an object.
  if (isJsonObject(given.arguments)) return { ...named, toolInput: given.arguments }
  return { ...named, ...readArguments(toText(given.arguments)) }
}

const readResult = (message: JsonObject, path: string, names: CallNames, other: Unplaced): MessagePart => {
  const toolCallId = toText(message.tool_call_id)
  const parts = readParts(message.content, `${path}.content`, other)
  const told = toText(message.name) || undefined
  const toolName = names.take(toolCallId, told) ?? told ?? 'unknown'
  keepOthers(message, resultMembers, path, other)
  // It repeats the name of the call, where it is given at all.
  if (!isNothing(message.name) && message.name !== toolName) other.set(`${path}.name`, message.name ?? null)
  return { type: 'tool_result', toolCallId, toolName, result: toResult(parts) }
}
