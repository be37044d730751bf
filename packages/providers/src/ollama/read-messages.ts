import { isJsonObject, type JsonObject, type JsonValue, type Message, type MessagePart } from '@retake/trace'
import { type CallLinks, createCallLinks } from '../call-links.ts'
import { createKnown, toText } from '../json-members.ts'
import { keepOthers, toAssistantParts, toContent, toResult } from '../message-content.ts'
import { createMessageHistory, type ReadHistory } from '../message-history.ts'
import type { Unplaced } from '../request-fields.ts'
import { readCalls, readParts } from './read-parts.ts'

/** Leading system messages become the system prompt. Tool messages in a row are one turn of results. */
export const readMessages = (list: JsonValue[], other: Unplaced): ReadHistory => {
  const history = createMessageHistory()
  const links = createCallLinks()
  for (const [index, message] of list.entries()) {
    const path = `messages[${index}]`
    const role = isJsonObject(message) ? toText(message.role) : ''
    if (!isJsonObject(message) || !['system', 'user', 'assistant', 'tool'].includes(role)) {
      other.set(path, message)
      continue
    }
    if (role === 'tool') history.addResult(readResult(message, path, links, other))
    else if (role === 'assistant') history.add(readAssistant(message, path, links, other))
    else {
      keepOthers(message, messageMembers, path, other)
      const content = toContent(readParts(message, path, other))
      if (role === 'user') history.add({ role: 'user', content })
      else history.addInstruction({ role: 'system', content })
    }
  }
  return history.read()
}

const images = ['list'] as const
const messageMembers = createKnown(['role', 'content'], { images })
/** Thinking of an earlier reply is dropped: it is never compared. */
const assistantMembers = createKnown(['role', 'content', 'thinking'], { images, tool_calls: ['list'] })
const text = ['string'] as const
const resultMembers = createKnown(['role', 'content'], { images, tool_call_id: text, tool_name: text, name: text })

const readAssistant = (message: JsonObject, path: string, links: CallLinks, other: Unplaced): Message => {
  keepOthers(message, assistantMembers, path, other)
  const calls = readCalls(message, path, other)
  links.begin()
  for (const { toolCallId, toolName } of calls) links.add(toolCallId, toolName)
  return { role: 'assistant', content: toContent(toAssistantParts([...readParts(message, path, other), ...calls])) }
}

/** Clients name the tool or its call, or leave both to the order. */
const readResult = (message: JsonObject, path: string, links: CallLinks, other: Unplaced): MessagePart => {
  keepOthers(message, resultMembers, path, other)
  const member = typeof message.tool_name === 'string' ? 'tool_name' : 'name'
  const named = message[member]
  const call = links.take(toText(message.tool_call_id), toText(named))
  // It repeats the name of the call, where it is given at all.
  if (named !== undefined && named !== null && named !== call?.name) other.set(`${path}.${member}`, named)
  return {
    type: 'tool_result',
    toolCallId: call?.id ?? toText(message.tool_call_id),
    toolName: toText(named) || call?.name || 'unknown',
    result: toResult(readParts(message, path, other)),
  }
}
