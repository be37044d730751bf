import type { Message, MessagePart, TextPart } from '@retake/trace'
import { remainingText } from './argument-text.ts'
import { type CallLabels, createCallLabels } from './call-labels.ts'

/** One message in canonical form. `index` is its position in the request it came from. */
export interface CanonicalMessage {
  index: number
  role: Message['role']
  name?: string
  parts: MessagePart[]
}

/** Neighbouring messages of one role: to a model they are one turn, and how they are split is no difference. */
export interface Turn {
  messages: [CanonicalMessage, ...CanonicalMessage[]]
}

const separator = '\n\n'

/** Groups messages into turns, with texts joined, empty texts dropped and the ids of calls replaced by labels. */
export const toTurns = (messages: readonly Message[]): Turn[] => {
  const labels = createCallLabels()
  const turns: Turn[] = []
  let last: CanonicalMessage | undefined
  for (const [index, message] of messages.entries()) {
    const joins = last !== undefined && last.role === message.role && last.name === message.name
    const turn = joins ? turns.length : turns.length + 1
    const canonical: CanonicalMessage = { index, role: message.role, parts: toCanonicalParts(message, labels, turn) }
    if (message.name !== undefined) canonical.name = message.name
    last = canonical
    const open = joins ? turns.at(-1) : undefined
    if (!open) turns.push({ messages: [canonical] })
    else if (open.messages[0].parts.length === 0) open.messages = [canonical]
    else if (canonical.parts.length > 0) open.messages.push(canonical)
  }
  return turns
}

const toCanonicalParts = (message: Message, labels: CallLabels, turn: number): MessagePart[] => {
  const { content } = message
  if (!Array.isArray(content)) return content ? [{ type: 'text', text: content }] : []
  const parts = content.map((part) => labelPart(part, labels, turn))
  return message.role === 'assistant' ? textFirst(parts) : joinNeighbours(parts)
}

const labelPart = (part: MessagePart, labels: CallLabels, turn: number): MessagePart => {
  if (part.type === 'tool_use') {
    const { inputText, ...call } = part
    const text = inputText === undefined ? undefined : remainingText(inputText, part.toolInput)
    const labelled = { ...call, toolCallId: labels.nameCall(part.toolCallId, part.toolName, turn) }
    return text === undefined ? labelled : { ...labelled, inputText: text }
  }
  if (part.type === 'tool_result') {
    const { label, toolName } = labels.nameResult(part.toolCallId, part.toolName)
    return { ...part, toolCallId: label, toolName }
  }
  return part
}

const isText = (part: MessagePart): part is TextPart => part.type === 'text'

const textFirst = (parts: readonly MessagePart[]): MessagePart[] => {
  const texts = parts.filter(isText).filter((part) => part.text !== '')
  const others = parts.filter((part) => !isText(part))
  if (texts.length === 0) return others
  return [{ type: 'text', text: texts.map((part) => part.text).join(separator) }, ...others]
}

const joinNeighbours = (parts: readonly MessagePart[]): MessagePart[] => {
  const joined: MessagePart[] = []
  for (const part of parts) {
    const before = joined.at(-1)
    if (!isText(part)) joined.push(part)
    else if (part.text === '') continue
    else if (before && isText(before)) {
      joined[joined.length - 1] = { type: 'text', text: before.text + separator + part.text }
    } else joined.push(part)
  }
  return joined
}

/** A turn as one message. */
export const joinTurn = (turn: Turn): CanonicalMessage => {
  const [first, ...others] = turn.messages
  if (others.length === 0) return first
  const parts = turn.messages.flatMap((message) => message.parts)
  return { ...first, parts: first.role === 'assistant' ? textFirst(parts) : joinNeighbours(parts) }
}

/** A turn that is nothing but text keeps it as a plain string. */
export const toContent = (parts: MessagePart[]): Message['content'] => {
  const [first, ...others] = parts
  if (!first) return ''
  return isText(first) && others.length === 0 ? first.text : parts
}

export const toMessage = ({ role, name, parts }: Omit<CanonicalMessage, 'index'>): Message =>
  name === undefined ? { role, content: toContent(parts) } : { role, content: toContent(parts), name }
