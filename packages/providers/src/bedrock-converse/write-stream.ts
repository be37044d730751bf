import type { JsonObject, ReplyPart } from '@retake/trace'
import { type Cut, createCut } from '../chunks.ts'
import { formatEvent, frameHeaders } from '../event-frames.ts'
import { toObject } from '../json-members.ts'
import { toArgumentText } from '../tool-arguments.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { writeBlock, writeCall, writeEnding } from './write-message.ts'

/** All events of one reply (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html). */
export const writeStream = (turn: Turn, context: WriteContext): WireAnswer => {
  const { stop, metadata } = writeEnding(turn, context.extras)
  return {
    status: 200,
    headers: { ...frameHeaders },
    body: [...writeParts(turn.parts, context), formatEvent('messageStop', stop), formatEvent('metadata', metadata)],
  }
}

/** The start and the blocks of a message, without its end. Of the blocks `complete` ones are closed, all by default. */
export const writeParts = (
  parts: readonly ReplyPart[],
  { extras }: WriteContext,
  complete: number = parts.length,
): Uint8Array[] => {
  const cut = createCut(extras?.chunks)
  const frames = [formatEvent('messageStart', { role: 'assistant' })]
  let contentBlockIndex = 0
  for (const [nth, part] of parts.entries()) {
    const block = writeBlock(part, nth, extras)
    if (!block) continue
    if (part.type === 'tool_use') {
      const start = { toolUse: writeCall(part, nth, extras) }
      frames.push(formatEvent('contentBlockStart', { contentBlockIndex, start }))
    }
    for (const delta of writeDeltas(part, block, cut)) {
      frames.push(formatEvent('contentBlockDelta', { contentBlockIndex, delta }))
    }
    if (nth < complete) frames.push(formatEvent('contentBlockStop', { contentBlockIndex }))
    contentBlockIndex++
  }
  return frames
}

const writeDeltas = (part: ReplyPart, block: JsonObject, cut: Cut): JsonObject[] => {
  if (part.type === 'tool_use') {
    const text = toArgumentText(part)
    return text === '' ? [] : cut(text).map((input) => ({ toolUse: { input } }))
  }
  if (part.type !== 'reasoning') return 'text' in part ? cut(part.text).map((text) => ({ text })) : []
  const { reasoningText, redactedContent } = toObject(block.reasoningContent)
  if (redactedContent !== undefined) return [{ reasoningContent: { redactedContent } }]
  const { signature } = toObject(reasoningText)
  const texts = part.text === '' && signature !== undefined ? [] : cut(part.text)
  return [...texts.map((text) => ({ text })), ...(signature === undefined ? [] : [{ signature }])].map(
    (reasoningContent) => ({ reasoningContent }),
  )
}
