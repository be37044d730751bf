import { isJsonObject, type JsonObject, type JsonValue, type ReplyPart, type ToolUsePart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toList, toObject, toObjects, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply } from '../wire.ts'
import { emptyTextBlob, readPartBlobs } from './blobs.ts'
import { refusePartialCall, refuseReplyPart } from './refused-members.ts'
import { addResponse, finishReply, isResponse } from './reply-ending.ts'

/**
 * One response, its parts in order.
 * @throws UnsupportedError naming the field
 */
export const readReply = (body: JsonValue): Reply => {
  if (body === null || body === '') throw unsupported('empty captured body', 'the reply')
  if (!isResponse(body)) throw unsupported('unreadable reply', 'candidates')
  if (!isNothing(body.error)) throw unsupported('unreadable reply', 'error')
  const ending = addResponse({ response: {} }, body)
  const parts: ReplyPart[] = []
  const opaque: Opaque[] = []
  const given = partsOf(body)
  for (const [nth, part] of given.entries()) {
    const read = readReplyPart(part, `candidates[0].content.parts[${nth}]`)
    const isEmpty = read.type === 'text' && read.text === ''
    const signature = toText(part.thoughtSignature)
    if (!isEmpty) {
      opaque.push(...readPartBlobs(part, parts.length))
      parts.push(read)
    } else if (signature !== '') opaque.push(emptyTextBlob(parts.length, signature))
    else if (given.length === 1) parts.push(read)
  }
  return finishReply(parts, ending, opaque, [])
}

/** The parts of the one candidate. */
export const partsOf = (response: JsonObject): JsonObject[] =>
  toObjects(toObject(toObject(toList(response.candidates)[0]).content).parts)

/** @throws UnsupportedError for every part but text, thoughts, and a call that the client is to run */
export const readReplyPart = (part: JsonObject, path: string): ReplyPart => {
  refuseReplyPart(part, path)
  if (isJsonObject(part.functionCall)) {
    refusePartialCall(part, path)
    return readCall(part.functionCall)
  }
  if (typeof part.text !== 'string' && toText(part.thoughtSignature) === '') throw unsupported('unreadable reply', path)
  return { type: part.thought === true ? 'reasoning' : 'text', text: toText(part.text) }
}

const readCall = ({ id, name, args }: JsonObject): ToolUsePart => ({
  type: 'tool_use',
  toolCallId: toText(id),
  toolName: toText(name),
  toolInput: args ?? {},
})
