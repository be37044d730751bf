import type { JsonObject, ReplyPart } from '@retake/trace'
import { writeOthers } from '../reply-members.ts'
import type { ReplyExtras, WriteContext } from '../wire.ts'
import { fromToolName } from './blocks.ts'
import { writeThinking } from './thinking.ts'

/** The members that a message has before it says anything. */
export const writeHead = ({ replyId, request, extras }: WriteContext): JsonObject => ({
  id: `msg_${replyId}`,
  type: 'message',
  role: 'assistant',
  model: extras?.servedModel ?? request.body.model ?? '',
  ...writeOthers(extras, 'message'),
})

/** One block; undefined for what is no block on this wire: the explanation of a refusal stands in `stop_details`. */
export const writeBlock = (part: ReplyPart, index: number, extras: ReplyExtras | undefined): JsonObject | undefined => {
  const others = writeOthers(extras, 'block', index)
  if (part.type === 'text') return { type: 'text', text: part.text, ...others }
  if (part.type === 'reasoning') return { ...writeThinking(part.text, index, extras), ...others }
  if (part.type !== 'tool_use') return undefined
  return {
    type: 'tool_use',
    id: part.toolCallId,
    ...fromToolName(part.toolName),
    input: part.toolInput,
    caller: { type: 'direct' },
    ...others,
  }
}
