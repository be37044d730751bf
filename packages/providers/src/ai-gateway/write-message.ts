import type { JsonObject, ReplyPart } from '@retake/trace'
import { writeOthers } from '../reply-members.ts'
import { toArgumentText } from '../tool-arguments.ts'
import type { ReplyExtras, WriteContext } from '../wire.ts'
import { partPlace } from './reply-members.ts'
import { modelOf } from './route.ts'

export const writeMetadata = ({ replyId, timestamp, request, extras }: WriteContext): JsonObject => ({
  id: `gen-${replyId}`,
  timestamp: new Date(timestamp).toISOString(),
  modelId: extras?.servedModel ?? modelOf(request) ?? '',
})

/** One part; undefined for what is none on this wire. It has no part for a refusal. */
export const writePart = (part: ReplyPart, index: number, extras: ReplyExtras | undefined): JsonObject | undefined => {
  const others = writeOthers(extras, partPlace, index)
  switch (part.type) {
    case 'text':
    case 'refusal':
      return { type: 'text', text: part.text, ...others }
    case 'reasoning':
      return { type: 'reasoning', text: part.text, ...others }
    case 'tool_use': {
      const { toolCallId, toolName } = part
      return { type: 'tool-call', toolCallId, toolName, input: toArgumentText(part), ...others }
    }
    default:
      return undefined
  }
}
