import type { ReplyPart } from '@retake/trace'
import { readArguments } from './tool-arguments.ts'

/** A part of a reply while it arrives. */
export interface PartDraft {
  readonly type: 'text' | 'reasoning' | 'refusal' | 'tool_use'
  id: string
  name: string
  custom: boolean
  /** Text, reasoning, or the argument text of a call. */
  text: string
  /** Lengths of the deltas that carried something. */
  lengths: number[]
  complete: boolean
}

/** Puts the parts of a streamed reply together, in the order in which they began. */
export const createPartCollector = () => {
  const drafts: PartDraft[] = []

  const open = (type: PartDraft['type'], id = '', name = ''): PartDraft => {
    const draft: PartDraft = { type, id, name, custom: false, text: '', lengths: [], complete: false }
    drafts.push(draft)
    return draft
  }

  /** Appends to the part that is last, or opens one where the last is of another type. */
  const append = (type: 'text' | 'reasoning' | 'refusal', delta: string): void => {
    if (delta === '') return
    const last = drafts.at(-1)
    extend(last?.type === type ? last : open(type), delta)
  }

  return {
    drafts: drafts as readonly PartDraft[],
    open,
    append,
    parts: () => drafts.map(toPart),
    /** All delta lengths in the order of the parts. */
    chunks: () => drafts.flatMap(({ lengths }) => lengths),
  }
}

export const extend = (draft: PartDraft, delta: string): void => {
  if (delta === '') return
  draft.text += delta
  draft.lengths.push(delta.length)
}

const toPart = ({ type, id, name, custom, text }: PartDraft): ReplyPart => {
  if (type !== 'tool_use') return { type, text }
  const call = { type, toolCallId: id, toolName: name }
  return custom ? { ...call, toolInput: text, kind: 'custom' } : { ...call, ...readArguments(text) }
}
