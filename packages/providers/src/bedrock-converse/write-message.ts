import type { JsonObject, ReplyPart, ToolUsePart } from '@retake/trace'
import { writeOthers } from '../reply-members.ts'
import type { ReplyExtras, Turn } from '../wire.ts'
import { writeReasoning } from './blobs.ts'
import { callPlace, replyPlace } from './reply-members.ts'
import { writeStop } from './stop.ts'
import { writeUsage } from './usage.ts'

/** One block; undefined for what is none on this wire. It has no member for a refusal, which is told by the reason. */
export const writeBlock = (part: ReplyPart, index: number, extras: ReplyExtras | undefined): JsonObject | undefined => {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { text: part.text }
    case 'reasoning':
      return { reasoningContent: writeReasoning(part.text, index, extras) }
    case 'tool_use':
      return { toolUse: { ...writeCall(part, index, extras), input: part.toolInput } }
    default:
      return undefined
  }
}

/** A call without its input, as it begins a block of a stream. */
export const writeCall = (
  { toolCallId, toolName }: ToolUsePart,
  index: number,
  extras: ReplyExtras | undefined,
): JsonObject => ({ toolUseId: toolCallId, name: toolName, ...writeOthers(extras, callPlace, index) })

export interface Ending {
  /** The reason, and fields of the model's own. */
  stop: JsonObject
  /** The counts, and what else is known of the call. */
  metadata: JsonObject
}

/** What ends a reply; a stream tells it in two events. */
export const writeEnding = (turn: Turn, extras: ReplyExtras | undefined): Ending => {
  const stopReason = writeStop(turn)
  const others: JsonObject = { metrics: { latencyMs: 0 }, ...writeOthers(extras, replyPlace) }
  const { additionalModelResponseFields: fields, ...metadata } = others
  return {
    stop: {
      ...(stopReason !== undefined && { stopReason }),
      ...(fields !== undefined && { additionalModelResponseFields: fields }),
    },
    metadata: { usage: writeUsage(extras), ...metadata },
  }
}
