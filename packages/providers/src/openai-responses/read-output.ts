import type { JsonObject, JsonValue, ReplyPart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toList, toObject, toObjects, toText } from '../json-members.ts'
import { othersBlob, othersOf, refuseMembers } from '../reply-members.ts'
import { readArguments } from '../tool-arguments.ts'
import { unsupported } from '../unsupported.ts'
import { readCallBlob, readMessageBlob, readReasoningBlob } from './blobs.ts'
import { refuseHostedItem, toToolName } from './items.ts'
import { contentMembers, itemMembers, thinkingMembers } from './reply-members.ts'

export interface ReadOutput {
  parts: ReplyPart[]
  opaque: Opaque[]
  /** As they are sent back in a history. */
  items: JsonObject[]
}

/**
 * The items of a reply, in order.
 * @throws UnsupportedError for everything but messages, thinking, and calls that the client is to run
 */
export const readOutput = (output: readonly JsonValue[]): ReadOutput => {
  const parts: ReplyPart[] = []
  const opaque: Opaque[] = []
  for (const [index, value] of output.entries()) {
    const item = toObject(value)
    const first = parts.length
    refuseOutputItem(item, `output[${index}]`)
    opaque.push(...othersBlob('item', othersOf(item, itemMembers), first))
    if (item.type === 'message') {
      const content = toList(item.content).map(toObject)
      opaque.push(...readMessageBlob(item, first, content.length))
      // A message that says nothing is an item all the same.
      if (content.length === 0) parts.push({ type: 'text', text: '' })
      for (const [nth, part] of content.entries()) {
        opaque.push(...othersBlob('content', othersOf(part, contentMembers), parts.length))
        parts.push(readContent(part, `output[${index}].content[${nth}]`))
      }
    } else if (item.type === 'reasoning') {
      const summary = toObjects(item.summary)
      const content = Array.isArray(item.content) ? toObjects(item.content) : undefined
      const shown = [...summary, ...(content ?? [])]
      const texts = shown.map((part) => toText(part.text))
      opaque.push(...shown.flatMap((part, nth) => othersBlob('thinking', othersOf(part, thinkingMembers), first + nth)))
      parts.push(...(texts.length > 0 ? texts : ['']).map((text): ReplyPart => ({ type: 'reasoning', text })))
      opaque.push(...readReasoningBlob(item, first, summary.length, content?.length))
    } else {
      parts.push(readCall(item))
      opaque.push(...readCallBlob(item, first))
    }
  }
  return { parts, opaque, items: output.map(toObject) }
}

/** @throws UnsupportedError for an item that a replay could not give back */
export const refuseOutputItem = (item: JsonObject, path: string): void => {
  refuseHostedItem(item, path)
  const type = toText(item.type)
  // Results in a reply are those of tools that the provider ran.
  if (type.endsWith('_call_output')) throw unsupported('hosted/server tools and their blocks', `${path}.type ${type}`)
  if (!['message', 'reasoning', 'function_call', 'custom_tool_call'].includes(type)) {
    throw unsupported('unreadable reply', `${path}.type ${type}`)
  }
}

/** @throws UnsupportedError for a part of a message that is neither text nor a refusal, and for what stands beside a text */
export const refuseContent = (part: JsonObject, path: string): void => {
  refuseMembers(part, contentMembers, path)
  const type = toText(part.type)
  if (type === 'output_audio' || type === 'output_image') {
    throw unsupported('audio or image output', `${path}.type ${type}`)
  }
}

const readContent = (part: JsonObject, path: string): ReplyPart => {
  refuseContent(part, path)
  if (part.type === 'refusal') return { type: 'refusal', text: toText(part.refusal) }
  if (part.type === 'output_text' || part.type === 'text') return { type: 'text', text: toText(part.text) }
  throw unsupported('unreadable reply', `${path}.type ${toText(part.type)}`)
}

const readCall = (item: JsonObject): ReplyPart => {
  const call = { type: 'tool_use', toolCallId: toText(item.call_id), toolName: toToolName(item) } as const
  if (item.type === 'custom_tool_call') return { ...call, toolInput: toText(item.input), kind: 'custom' }
  return { ...call, ...readArguments(toText(item.arguments)) }
}
