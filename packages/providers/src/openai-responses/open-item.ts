import type { JsonObject } from '@retake/trace'
import { isNothing } from '../json-members.ts'
import type { PartDraft } from '../part-collector.ts'

/** One item of the output while it arrives. */
export interface OpenItem {
  /** As it stood when it began. */
  begun: JsonObject
  /** By the kind of part and its index within the item. */
  readonly drafts: Map<string, PartDraft>
  /** As it stood when it was done. */
  done?: JsonObject
}

/** The item as it was done; of one that was never told as a whole what its deltas come to. */
export const toItem = ({ begun, drafts, done }: OpenItem): JsonObject => {
  if (done) return done
  const given = [...drafts]
  const call = drafts.get('tool_use')
  if (call) return { ...begun, [call.custom ? 'input' : 'arguments']: call.text }
  const isThinking = given.some(([, { type }]) => type === 'reasoning')
  const content = given.flatMap(([key, draft]) => (key.startsWith('content') ? [toContent(draft)] : []))
  const summary = given.flatMap(([key, { text }]) =>
    key.startsWith('summary') ? [{ type: 'summary_text', text }] : [],
  )
  return {
    type: isThinking ? 'reasoning' : 'message',
    ...begun,
    ...(isThinking && { summary }),
    ...(!(isThinking && isNothing(content)) && { content }),
  }
}

const toContent = ({ type, text }: PartDraft): JsonObject => {
  if (type === 'refusal') return { type: 'refusal', refusal: text }
  return { type: type === 'reasoning' ? 'reasoning_text' : 'output_text', text }
}
