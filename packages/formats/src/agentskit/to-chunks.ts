import { createCut, fromModelOutput, toArgumentText, type WireError } from '@retake/providers'
import type { ModelOutput, ReplyPart, StepExtras } from '@retake/trace'
import type { AdapterChunk } from './adapter.ts'

/** The pieces that an adapter would give for a reply. `report` is told what of it has no place in them. */
export function toChunks(
  output: ModelOutput,
  { tokens, chunks: lengths }: Partial<Pick<StepExtras, 'tokens' | 'chunks'>>,
  report: (what: string) => void,
): AdapterChunk[] {
  const { stop, stopText, stopDetail, parts } = fromModelOutput(output)
  const isOrdinary = stop === (parts.some(({ type }) => type === 'tool_use') ? 'tools' : 'end')
  if (!isOrdinary || stopText !== undefined || stopDetail !== undefined) report('why it stopped')
  const { input = 0, output: written = 0, ...others } = tokens ?? {}
  if (Object.keys(others).length > 0) report('counts of cached and reasoning tokens')
  const usage = { promptTokens: input, completionTokens: written, totalTokens: input + written }
  return [...toPieces(parts, lengths, report), ...(tokens ? [{ type: 'usage' as const, usage }] : []), { type: 'done' }]
}

/** The pieces of an attempt that failed. */
export function toFailedChunks(
  { parts = [], chunks, kind, message }: WireError,
  report: (what: string) => void,
): AdapterChunk[] {
  const pieces = toPieces(parts, chunks, report)
  // One that broke off says nothing more.
  return kind === 'cut' || kind === 'aborted' ? pieces : [...pieces, { type: 'error', content: message }]
}

function toPieces(
  parts: readonly ReplyPart[],
  lengths: readonly number[] | undefined,
  report: (what: string) => void,
): AdapterChunk[] {
  const cut = createCut(lengths)
  return parts.flatMap((part): AdapterChunk[] => {
    if (part.type === 'tool_use') {
      if (part.kind) report('that a call is of a custom tool')
      const args = toArgumentText(part)
      if (cut(args).length > 1) report('the pieces in which arguments came')
      return [{ type: 'tool_call', toolCall: { id: part.toolCallId, name: part.toolName, args } }]
    }
    if (part.type === 'media') {
      report('media')
      return []
    }
    if (part.type === 'refusal') report('that it is a refusal')
    const type = part.type === 'reasoning' ? 'reasoning' : 'text'
    return cut(part.text).map((content) => ({ type, content }))
  })
}
