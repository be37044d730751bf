import type { MessagePart, ModelInput } from '@retake/trace'
import { type Aligned, alignLists, type Likeness, toStretches } from './align.ts'
import { equalJson } from './equal-json.ts'
import { likenessOfTexts, likenessOfValues } from './likeness.ts'
import { partText } from './part-text.ts'
import { type CanonicalMessage, joinTurn, type Turn, toTurns } from './turns.ts'

/** A stretch of turns that say the same, or a pair of messages that do not. */
export type AlignedMessages =
  | { equal: true; before: Turn; after: Turn }
  | { equal: false; before?: CanonicalMessage; after?: CanonicalMessage }

// Call labels are left out here: a call inserted early renumbers all later ones, which must not make them differ.
const withoutLabel = (part: MessagePart): object => {
  if (part.type === 'tool_use') return { ...part, toolCallId: '' }
  return part.type === 'tool_result' ? { ...part, toolCallId: '', toolName: '' } : part
}

const equalParts = (before: MessagePart, after: MessagePart): boolean =>
  before.type === after.type && equalJson(withoutLabel(before), withoutLabel(after))

const equalMessages = (before: CanonicalMessage, after: CanonicalMessage): boolean =>
  before.role === after.role &&
  before.name === after.name &&
  before.parts.length === after.parts.length &&
  before.parts.every((part, index) => equalParts(part, after.parts[index] as MessagePart))

const equalTurns = (before: Turn, after: Turn): boolean => equalMessages(joinTurn(before), joinTurn(after))

const likenessOfParts = (before: MessagePart, after: MessagePart): number => {
  if (before.type !== after.type) return -1
  const likeness =
    before.type === 'tool_use' && after.type === 'tool_use'
      ? likenessOfValues(before.toolInput, after.toolInput)
      : likenessOfTexts(partText(before), partText(after))
  const sameTool = before.type !== 'tool_use' || after.type !== 'tool_use' || before.toolName === after.toolName
  return sameTool ? 0.2 + 0.8 * likeness : 0.5 * likeness
}

const likenessOfMessages = (before: CanonicalMessage, after: CanonicalMessage): number => {
  if (before.role !== after.role) return -1
  const longest = Math.max(before.parts.length, after.parts.length)
  if (longest === 0) return 1
  const shared = before.parts.slice(0, after.parts.length)
  return (
    shared.reduce(
      (sum, part, index) => sum + Math.max(0, likenessOfParts(part, after.parts[index] as MessagePart)),
      0,
    ) / longest
  )
}

/** Parts of two messages side by side. */
export const alignParts = (before: MessagePart[], after: MessagePart[]): Aligned[] =>
  alignLists(before, after, { equal: equalParts, likeness: likenessOfParts })

const byLikeness: Likeness<CanonicalMessage> = { equal: equalMessages, likeness: likenessOfMessages }

/**
 * Whole turns are aligned first, so that texts split in another way are no difference; inside what remains, the messages
 * as they were sent, so that one message more or less is one difference.
 */
export const alignTurns = (before: Turn[], after: Turn[]): AlignedMessages[] =>
  toStretches(before, after, equalTurns).flatMap((stretch): AlignedMessages[] => {
    const removed = before.slice(...stretch.before)
    const added = after.slice(...stretch.after)
    if (stretch.equal) {
      return removed.map((turn, index) => ({ equal: true, before: turn, after: added[index] as Turn }))
    }
    const ones = removed.flatMap((turn) => turn.messages)
    const others = added.flatMap((turn) => turn.messages)
    return alignLists(ones, others, byLikeness).map((pair): AlignedMessages => {
      const one = pair.before === undefined ? undefined : ones[pair.before]
      const other = pair.after === undefined ? undefined : others[pair.after]
      if (pair.equal && one && other) return { equal: true, before: { messages: [one] }, after: { messages: [other] } }
      return { equal: false, ...(one && { before: one }), ...(other && { after: other }) }
    })
  })

/** The messages of two requests side by side, by their index in each request; for showing them. */
export const alignMessages = (before: ModelInput, after: ModelInput): Aligned[] =>
  alignTurns(toTurns(before.messages), toTurns(after.messages)).flatMap((pair): Aligned[] => {
    if (!pair.equal) return [toIndexes(pair.before?.index, pair.after?.index, false)]
    const most = Math.max(pair.before.messages.length, pair.after.messages.length)
    return Array.from({ length: most }, (_, nth) =>
      toIndexes(pair.before.messages[nth]?.index, pair.after.messages[nth]?.index, true),
    )
  })

const toIndexes = (before: number | undefined, after: number | undefined, equal: boolean): Aligned => ({
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
  equal,
})
