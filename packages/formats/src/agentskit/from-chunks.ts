import { type ReadAnswer, readArguments } from '@retake/providers'
import type { ReplyPart } from '@retake/trace'
import type { AdapterChunk } from './adapter.ts'

/** The reply that the pieces of an adapter make up, with their lengths; undefined where none of it came. */
export function fromChunks(pieces: readonly AdapterChunk[]): ReadAnswer | undefined {
  if (pieces.length === 0) return undefined
  const parts: ReplyPart[] = []
  const lengths: number[] = []
  let tokens: { input: number; output: number } | undefined
  for (const { type, content = '', toolCall, usage } of pieces) {
    if (type === 'text' || type === 'reasoning') {
      lengths.push(content.length)
      const last = parts.at(-1)
      if (last?.type === type) parts[parts.length - 1] = { type, text: last.text + content }
      else parts.push({ type, text: content })
    } else if (type === 'tool_call' && toolCall) {
      const { id, name, args } = toolCall
      lengths.push(args.length)
      parts.push({ type: 'tool_use', toolCallId: id, toolName: name, ...readArguments(args) })
    } else if (type === 'usage' && usage) {
      tokens = { input: usage.promptTokens, output: usage.completionTokens }
    }
  }
  const chunks = lengths.length > 0 && { chunks: lengths }
  const failed = pieces.find(({ type }) => type === 'error')
  if (failed || !pieces.some(({ type }) => type === 'done')) {
    const how = failed
      ? { kind: 'server', message: failed.content ?? '' }
      : { kind: 'cut', message: 'the reply was not read to its end' }
    return { error: { status: 200, ...how, parts, afterParts: parts.length, ...chunks } }
  }
  const stop = parts.some(({ type }) => type === 'tool_use') ? 'tools' : 'end'
  return { reply: { turn: { parts, stop }, extras: { ...(tokens && { tokens }), ...chunks } } }
}
