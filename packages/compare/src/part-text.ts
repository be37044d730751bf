import type { MessagePart } from '@retake/trace'

export const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** What a part of a message says, without its framing; to judge how much two parts look alike. */
export const partText = (part: MessagePart): string => {
  if (part.type === 'tool_use') return toText(part.toolInput)
  if (part.type === 'tool_result') return toText('result' in part ? part.result : part.error)
  return part.type === 'text' || part.type === 'refusal' ? part.text : toText(part)
}
