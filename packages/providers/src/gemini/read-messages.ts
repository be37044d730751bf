import { isJsonObject, type JsonValue, type Message, type MessagePart } from '@retake/trace'
import { type CallLinks, createCallLinks } from '../call-links.ts'
import { keepOthers, toAssistantParts, toContent } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'
import { camelMembers } from './camel-members.ts'
import { readParts } from './read-parts.ts'

/**
 * Model contents in a row are one turn: what was streamed comes back in pieces. Their texts are one text, as the API
 * tells no end of one.
 * @throws UnsupportedError for parts of tools that Google runs
 */
export const readContents = (contents: JsonValue | undefined, other: Unplaced): Message[] => {
  if (typeof contents === 'string') return [{ role: 'user', content: contents }]
  const list = Array.isArray(contents) ? contents : [contents ?? null]
  const links = createCallLinks()
  const messages: Message[] = []
  let turn: MessagePart[] = []
  const endTurn = (): void => {
    if (turn.length > 0) messages.push({ role: 'assistant', content: toContent(toAssistantParts(joinAdjacent(turn))) })
    turn = []
  }
  let isTurn = false
  for (const [index, given] of list.entries()) {
    const read = readContent(given, Array.isArray(contents) ? `contents[${index}]` : 'contents', links, other)
    if (!read) continue
    if (read.role === 'model') {
      if (!isTurn) links.begin()
      isTurn = true
      for (const part of read.parts) if (part.type === 'tool_use') links.add(part.toolCallId, part.toolName)
      turn.push(...read.parts)
      continue
    }
    endTurn()
    isTurn = false
    messages.push({ role: read.role, content: toContent(read.parts) })
  }
  endTurn()
  return messages
}

/** A function's results come from the user, or under a role of their own in older clients. */
const roles: Readonly<Record<string, 'model' | 'user' | 'system'>> = {
  '': 'user',
  user: 'user',
  function: 'user',
  tool: 'user',
  model: 'model',
  system: 'system',
}

const readContent = (given: JsonValue, path: string, links: CallLinks, other: Unplaced) => {
  const content = isJsonObject(given) ? camelMembers(given) : undefined
  const role = content && (content.role === undefined || content.role === null ? '' : content.role)
  const known = typeof role === 'string' ? roles[role] : undefined
  if (!content || !known) {
    other.set(path, given)
    return undefined
  }
  keepOthers(content, ['role', 'parts'], path, other)
  return { role: known, parts: readParts(content.parts, `${path}.parts`, { other, links }) }
}

const joinAdjacent = (parts: readonly MessagePart[]): MessagePart[] => {
  const joined: MessagePart[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { ...last, text: last.text + part.text }
    else joined.push(part)
  }
  return joined
}
