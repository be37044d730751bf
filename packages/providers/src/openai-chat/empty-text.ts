import type { ReplyPart } from '@retake/trace'

/**
 * Vendors say `content: ""` or `content: null` beside calls and thinking. The empty text is a part there, so that it
 * comes back; alone, and beside a refusal, it says nothing.
 */
export const withEmptyText = (parts: readonly ReplyPart[]): ReplyPart[] => {
  const isTold = parts.length > 0 && !parts.some(({ type }) => type === 'text' || type === 'refusal')
  if (!isTold) return [...parts]
  const first = parts.findIndex(({ type }) => type !== 'reasoning')
  const place = first === -1 ? parts.length : first
  return parts.toSpliced(place, 0, { type: 'text', text: '' })
}
