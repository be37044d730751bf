import type { JsonPath, Message, MessagePart } from '@retake/trace'
import { alignParts, alignTurns } from './align-messages.ts'
import { compareCallLabels, type LinkedParts, linkParts } from './compare-call-labels.ts'
import { collectDifferences, type Place, pushAdded, pushRemoved } from './compare-values.ts'
import type { Difference } from './difference.ts'
import { type CanonicalMessage, type Turn, toContent, toMessage, toTurns } from './turns.ts'

/** All differences of two histories: a message added, removed or changed is one, wherever it stands. */
export const compareMessages = (before: Message[], after: Message[], differences: Difference[]): void => {
  const links: LinkedParts[] = []
  for (const pair of alignTurns(toTurns(before), toTurns(after))) {
    if (pair.equal) links.push(...linkTurns(pair.before, pair.after))
    else if (!pair.before) pushAdded(pathOf(pair.after), pair.after && toMessage(pair.after), differences)
    else if (!pair.after) pushRemoved(pathOf(pair.before), toMessage(pair.before), differences)
    else compareMessage(pair.before, pair.after, links, differences)
  }
  compareCallLabels(links, differences)
}

const pathOf = (message: CanonicalMessage | undefined): JsonPath => ['messages', message?.index ?? 0]

const linkTurns = (before: Turn, after: Turn): LinkedParts[] => {
  const others = after.messages.flatMap(toCallParts)
  return before.messages.flatMap(toCallParts).flatMap(({ part }, nth) => {
    const other = others[nth]
    return other ? linkParts(part, other.part, other.path) : []
  })
}

const toCallParts = (message: CanonicalMessage): { part: MessagePart; path: JsonPath }[] =>
  message.parts
    .map((part, index) => ({ part, path: [...pathOf(message), 'content', index] }))
    .filter(({ part }) => part.type === 'tool_use' || part.type === 'tool_result')

const compareMessage = (
  before: CanonicalMessage,
  after: CanonicalMessage,
  links: LinkedParts[],
  differences: Difference[],
): void => {
  const place: Place = { before: pathOf(before), after: pathOf(after) }
  collectDifferences(before.name, after.name, extend(place, 'name'), differences)
  const [one, other] = [toContent(before.parts), toContent(after.parts)]
  if (typeof one === 'string' && typeof other === 'string') {
    collectDifferences(one, other, extend(place, 'content'), differences)
    return
  }
  for (const pair of alignParts(before.parts, after.parts)) {
    const oldPart = pair.before === undefined ? undefined : before.parts[pair.before]
    const newPart = pair.after === undefined ? undefined : after.parts[pair.after]
    const parts: Place = {
      before: [...place.before, 'content', ...(typeof one === 'string' ? [] : [pair.before ?? 0])],
      after: [...place.after, 'content', ...(typeof other === 'string' ? [] : [pair.after ?? 0])],
    }
    if (!oldPart || !newPart) collectDifferences(oldPart, newPart, parts, differences)
    else {
      links.push(...linkParts(oldPart, newPart, parts.after))
      if (!pair.equal) comparePart(oldPart, newPart, parts, typeof other === 'string', differences)
    }
  }
}

const extend = (place: Place, key: string): Place => ({ before: [...place.before, key], after: [...place.after, key] })

// Which call a part belongs to is compared over the whole history, see compareCallLabels.
const withoutCall = (part: MessagePart): object => {
  if (part.type === 'tool_use') return { ...part, toolCallId: null }
  return part.type === 'tool_result' ? { ...part, toolCallId: null, toolName: null } : part
}

const comparePart = (
  before: MessagePart,
  after: MessagePart,
  place: Place,
  isPlain: boolean,
  differences: Difference[],
): void => {
  if (before.type === 'text' && after.type === 'text') {
    collectDifferences(before.text, after.text, isPlain ? place : extend(place, 'text'), differences)
  } else collectDifferences(withoutCall(before), withoutCall(after), place, differences)
}
