import type { Trace } from '@retake/trace'
import { alignLists } from '../align.ts'
import { equalJson } from '../equal-json.ts'
import { likenessOfTexts, likenessOfValues } from '../likeness.ts'
import { partText, toText } from '../part-text.ts'
import { toConversation } from './to-conversation.ts'
import type { Utterance } from './utterance.ts'

/** The same place of two conversations; one side only where the other says nothing there. */
export interface UtterancePair {
  before?: Utterance
  after?: Utterance
  equal: boolean
}

/** Two runs side by side, in the order of reading. */
export const alignConversations = (before: Trace, after: Trace): UtterancePair[] => {
  const [ones, others] = [toConversation(before), toConversation(after)]
  return alignLists(ones, others, { equal: equalUtterances, likeness }).map(({ before: one, after: other, equal }) => ({
    ...(one !== undefined && { before: ones[one] as Utterance }),
    ...(other !== undefined && { after: others[other] as Utterance }),
    equal,
  }))
}

/** Steps and ids of calls do not count: one call more renumbers all later ones. */
const equalUtterances = (before: Utterance, after: Utterance): boolean =>
  before.kind === after.kind && equalJson(contentOf(before), contentOf(after))

const contents = new WeakMap<Utterance, object>()

const contentOf = (utterance: Utterance): object => {
  const known = contents.get(utterance)
  if (known) return known
  const content = toContent(utterance)
  contents.set(utterance, content)
  return content
}

const toContent = (utterance: Utterance): object => {
  const { step: _, ...content } = utterance
  if (content.kind === 'call') return { ...content, call: { ...content.call, toolCallId: '' } }
  if (content.kind === 'result') return { ...content, call: null }
  if (content.kind === 'sent' && 'toolCallId' in content.part) {
    return { ...content, part: { ...content.part, toolCallId: '' } }
  }
  return content
}

const unlike = -1
const leastLike = 0.2

const likeness = (before: Utterance, after: Utterance): number => {
  if (!mayBeOne(before, after)) return unlike
  const like =
    before.kind === 'call' && after.kind === 'call'
      ? likenessOfValues(before.call.toolInput, after.call.toolInput)
      : likenessOfTexts(gistOf(before), gistOf(after))
  return leastLike + (1 - leastLike) * like
}

/** Whether one may be shown as the other, changed. */
const mayBeOne = (before: Utterance, after: Utterance): boolean => {
  if (before.kind === 'setting' && after.kind === 'setting') return before.name === after.name
  if (before.kind === 'sent' && after.kind === 'sent') {
    return before.role === after.role && before.part.type === after.part.type
  }
  if (before.kind === 'said' && after.kind === 'said') {
    return before.type === after.type && before.isAnswer === after.isAnswer
  }
  if (before.kind === 'call' && after.kind === 'call') {
    return before.call.toolName === after.call.toolName && before.byCode === after.byCode
  }
  if (before.kind === 'result' && after.kind === 'result') return before.toolName === after.toolName
  return before.kind === 'event' && after.kind === 'event' && before.payload.event === after.payload.event
}

const gists = new WeakMap<Utterance, string>()

const gistOf = (utterance: Utterance): string => {
  const known = gists.get(utterance)
  if (known !== undefined) return known
  const gist = toGist(utterance)
  gists.set(utterance, gist)
  return gist
}

const toGist = (utterance: Utterance): string => {
  switch (utterance.kind) {
    case 'setting':
    case 'result':
      return toText(utterance.value)
    case 'sent':
      return partText(utterance.part)
    case 'said':
      return utterance.text
    case 'call':
      return toText(utterance.call.toolInput)
    case 'event':
      return toText(utterance.payload)
  }
}
