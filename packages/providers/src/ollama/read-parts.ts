import { isJsonObject, type JsonObject, type MessagePart, type ToolUsePart } from '@retake/trace'
import { createKnown, toList, toObject, toText } from '../json-members.ts'
import { toMedia } from '../media.ts'
import { keepOthers } from '../message-content.ts'
import type { Unplaced } from '../request-fields.ts'

/** The images of a message, which a prompt shows before its text, and the text. */
export const readParts = (message: JsonObject, path: string, other: Unplaced): MessagePart[] => {
  const { content, images } = message
  if (content !== undefined && content !== null && typeof content !== 'string') other.set(`${path}.content`, content)
  return [
    ...toList(images).flatMap((image, nth): MessagePart[] => {
      // Its type is in its first bytes.
      if (typeof image === 'string') return [toMedia('image/*', image)]
      other.set(`${path}.images[${nth}]`, image)
      return []
    }),
    ...(typeof content === 'string' ? [{ type: 'text' as const, text: content }] : []),
  ]
}

const text = ['string'] as const
const callMembers = createKnown(['type'], { id: text, function: ['object'] })
const functionMembers = createKnown(['index'], { name: text, arguments: ['object'] })

export const readCalls = (message: JsonObject, path: string, other: Unplaced): ToolUsePart[] =>
  toList(message.tool_calls).map((item, nth) => {
    const call = toObject(item)
    const given = toObject(call.function)
    const at = `${path}.tool_calls[${nth}]`
    if (isJsonObject(item)) keepOthers(call, callMembers, at, other)
    else other.set(at, item)
    keepOthers(given, functionMembers, `${at}.function`, other)
    return {
      type: 'tool_use',
      toolCallId: toText(call.id),
      toolName: toText(given.name),
      toolInput: toObject(given.arguments),
    }
  })
