import type { JsonObject, JsonValue, MessagePart } from '@retake/trace'
import { type KnownMembers, otherMembers } from './json-members.ts'
import type { Unplaced } from './request-fields.ts'

const isText = (part: MessagePart) => part.type === 'text'

/** Text blocks in one piece, an empty one left out. */
export const joinTexts = (parts: readonly MessagePart[]): string =>
  parts
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n\n')

/** The text as it is where there is nothing else, the parts otherwise. */
export const toContent = (parts: MessagePart[]): string | MessagePart[] =>
  parts.every(isText) ? joinTexts(parts) : parts

/** The result of a tool: text in one piece, or the parts where there is more than text. */
export const toResult = (parts: MessagePart[]): JsonValue => (parts.every(isText) ? joinTexts(parts) : parts)

/** What an assistant said: its text in one piece first, then the rest in order. */
export const toAssistantParts = (parts: MessagePart[]): MessagePart[] => {
  const text = joinTexts(parts)
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...parts.filter((part) => !isText(part))]
}

/** Keeps the members of a message or block that are neither read nor known to change nothing. */
export const keepOthers = (
  object: JsonObject,
  known: readonly string[] | KnownMembers,
  path: string,
  other: Unplaced,
): void => {
  const others = otherMembers(object, known)
  for (const name of Object.keys(others)) other.set(`${path}.${name}`, others[name] as JsonValue)
}
