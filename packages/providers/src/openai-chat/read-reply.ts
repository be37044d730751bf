import { isJsonObject, type JsonObject, type JsonValue, type ReplyPart, type ToolUsePart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toObject, toObjects, toText } from '../json-members.ts'
import { othersBlob, othersOf, refuseMembers } from '../reply-members.ts'
import { readArguments } from '../tool-arguments.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply } from '../wire.ts'
import { readCallBlobs, readMessageBlobs, reasoningFieldOf } from './blobs.ts'
import { readContentChunks, refuseLogprobs } from './content-chunks.ts'
import { withEmptyText } from './empty-text.ts'
import { choiceMembers, groqMembers, messageMembers, replyMembers } from './reply-members.ts'
import { readStop } from './stop.ts'
import { readUsage } from './usage.ts'

/**
 * A chat completion. The wire has a member for each kind of part and no order between them; they are read as reasoning,
 * text, refusal, calls.
 * @throws UnsupportedError naming the field
 */
export const readReply = (body: JsonValue): Reply => {
  if (body === null || body === '') throw unsupported('empty captured body', 'the reply')
  if (!isJsonObject(body) || !Array.isArray(body.choices)) throw unsupported('unreadable reply', 'choices')
  refuseMembers(body, replyMembers)
  if (body.choices.length > 1) throw unsupported('n > 1', 'choices')
  const choice = toObject(body.choices[0])
  if (!isJsonObject(choice.message)) throw unsupported('unreadable reply', 'choices[0].message')
  const { message } = choice
  refuseMembers(message, messageMembers, 'choices[0].message')
  refuseLogprobs(choice)

  const refusal = toText(message.refusal)
  const calls = toObjects(message.tool_calls)
  const reasoning = readReasoning(message)
  const chunks = Array.isArray(message.content)
    ? readContentChunks(message.content, 'choices[0].message.content')
    : undefined
  const told: ReplyPart[] = [
    ...reasoning,
    ...(chunks?.map(({ type, text }) => ({ type, text })) ?? readText(message.content)),
    ...(refusal === '' ? [] : [{ type: 'refusal' as const, text: refusal }]),
    ...calls.map(readCall),
  ]
  const parts = message.content === '' ? withEmptyText(told) : told
  const firstCall = parts.length - calls.length

  const usage = readUsage(body.usage)
  const opaque: Opaque[] = [
    ...readMessageBlobs(message),
    ...usage.opaque,
    ...othersBlob('reply', othersOf(body, replyMembers)),
    ...othersBlob('choice', othersOf(choice, choiceMembers)),
    ...othersBlob('message', othersOf(message, messageMembers)),
    ...othersBlob('groq', othersOf(toObject(body.x_groq), groqMembers)),
    ...(chunks ?? []).flatMap(({ others }, nth) => othersBlob('chunk', others, reasoning.length + nth)),
    ...calls.flatMap((call, nth) => readCallBlobs(call, firstCall + nth)),
  ]
  const servedModel = toText(body.model)
  return {
    turn: { parts, ...readStop(toText(choice.finish_reason), parts) },
    extras: {
      ...(usage.tokens && { tokens: usage.tokens }),
      ...(servedModel !== '' && { servedModel }),
      ...(opaque.length > 0 && { opaque }),
    },
  }
}

const readReasoning = (message: JsonObject): ReplyPart[] => {
  const text = toText(message[reasoningFieldOf(message) ?? ''])
  return text === '' ? [] : [{ type: 'reasoning', text }]
}

const readText = (content: JsonValue | undefined): ReplyPart[] =>
  toText(content) === '' ? [] : [{ type: 'text', text: toText(content) }]

/** @throws UnsupportedError for a call of another kind than function and custom */
const readCall = (call: JsonObject, nth: number): ToolUsePart => {
  const named = (given: JsonObject) =>
    ({ type: 'tool_use', toolCallId: toText(call.id), toolName: toText(given.name) }) as const
  if (isJsonObject(call.custom)) return { ...named(call.custom), toolInput: toText(call.custom.input), kind: 'custom' }
  if (!isJsonObject(call.function)) {
    throw unsupported('hosted/server tools and their blocks', `choices[0].message.tool_calls[${nth}].type`)
  }
  const given = call.function
  // Vendors whose clients take an object send one.
  if (isJsonObject(given.arguments)) return { ...named(given), toolInput: given.arguments }
  return { ...named(given), ...readArguments(toText(given.arguments)) }
}
