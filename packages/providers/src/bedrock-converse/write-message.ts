import type { JsonObject, ReplyPart } from '@retake/trace'
import type { ReplyExtras, Turn } from '../wire.ts'
import { writeReasoning, writeReplyBlob, writeUsageBlob } from './blobs.ts'
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
      return { toolUse: { toolUseId: part.toolCallId, name: part.toolName, input: part.toolInput } }
    default:
      return undefined
  }
}

export interface Ending {
  /** The reason, and fields of the model's own. */
  stop: JsonObject
  /** The counts, and what else is known of the call. */
  metadata: JsonObject
}

/** What ends a reply; a stream tells it in two events. */
export const writeEnding = (turn: Turn, extras: ReplyExtras | undefined): Ending => {
  const stopReason = writeStop(turn)
  const { additionalModelResponseFields: fields, ...others } = writeReplyBlob(extras)
  return {
    stop: {
      ...(stopReason !== undefined && { stopReason }),
      ...(fields !== undefined && { additionalModelResponseFields: fields }),
    },
    metadata: { usage: { ...writeUsage(extras), ...writeUsageBlob(extras) }, ...others },
  }
}
