import { isJsonObject, type JsonObject, type JsonValue, type ReplyPart, type ToolUsePart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toObject, toObjects, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply } from '../wire.ts'
import { readCallOthers, readReplyOthers, refuseInReply } from './reply-members.ts'
import { readStop } from './stop.ts'
import { readUsage } from './usage.ts'

/**
 * A chat reply. The wire has a member for each kind of part and no order between them; they are read as thinking, text,
 * calls.
 * @throws UnsupportedError naming the field
 */
export const readReply = (body: JsonValue): Reply => {
  if (body === null || body === '') throw unsupported('empty captured body', 'the reply')
  if (!isJsonObject(body) || !isJsonObject(body.message)) throw unsupported('unreadable reply', 'message')
  if (body.done !== true) throw unsupported('unreadable reply', 'done')
  const { message } = body
  refuseInReply(body, message)
  const said: ReplyPart[] = [
    ...partOf('reasoning', message.thinking),
    ...partOf('text', message.content),
    ...toObjects(message.tool_calls).map(readCall),
  ]
  const firstCall = said.findIndex(({ type }) => type === 'tool_use')
  const callBlobs = toObjects(message.tool_calls).flatMap((call, nth) => readCallOthers(call, firstCall + nth))
  return finishReply(said, body, { message, callBlobs })
}

const partOf = (type: 'text' | 'reasoning', value: JsonValue | undefined): ReplyPart[] =>
  toText(value) === '' ? [] : [{ type, text: toText(value) }]

/** Old servers send no ids. */
export const readCall = (call: JsonObject): ToolUsePart => {
  const { name, arguments: input } = toObject(call.function)
  return { type: 'tool_use', toolCallId: toText(call.id), toolName: toText(name), toolInput: input ?? {} }
}

/** What is known of a reply beside its parts and its last line. */
export interface ReadExtras {
  /** The message without its parts. */
  message: JsonObject
  callBlobs: Opaque[]
  chunks?: number[]
}

export const finishReply = (parts: ReplyPart[], reply: JsonObject, extras: ReadExtras): Reply => {
  const { message, callBlobs, chunks = [] } = extras
  const tokens = readUsage(reply)
  const servedModel = toText(reply.model)
  const opaque = [...readReplyOthers(reply, message), ...callBlobs]
  return {
    turn: { parts, ...readStop(toText(reply.done_reason), parts) },
    extras: {
      ...(tokens && { tokens }),
      ...(servedModel !== '' && { servedModel }),
      ...(chunks.length > 0 && { chunks }),
      ...(opaque.length > 0 && { opaque }),
    },
  }
}
