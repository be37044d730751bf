import type { JsonObject, ReplyPart, ToolUsePart } from '@retake/trace'
import { toObjects } from '../json-members.ts'
import { writeOthers } from '../reply-members.ts'
import { toArgumentText } from '../tool-arguments.ts'
import type { ReplyExtras, WriteContext } from '../wire.ts'
import { findBlob, toCount } from './blobs.ts'

/** One item of a reply as it stands when it is complete, and the parts it is made of. */
export interface WrittenItem {
  /** Index of its first part, and of the one behind its last. */
  from: number
  to: number
  item: JsonObject
}

/** An item for each part, or for those that were recorded as one. Ids are unique within the run. */
export const writeItems = (parts: readonly ReplyPart[], { replyId, request, extras }: WriteContext): WrittenItem[] => {
  const items: WrittenItem[] = []
  const namespaces = toObjects(request.body.tools).flatMap(({ type, name }) => (type === 'namespace' ? [name] : []))
  const add = (prefix: string, from: number, to: number, members: JsonObject): void => {
    const id = `${prefix}_${replyId}-${items.length}`
    items.push({ from, to, item: { id, ...members, ...writeOthers(extras, 'item', from) } })
  }
  for (let from = 0; from < parts.length; from = items.at(-1)?.to ?? from) {
    const part = parts[from]
    if (part?.type === 'tool_use') {
      const prefix = part.kind === 'custom' ? 'ctc' : 'fc'
      add(prefix, from, from + 1, writeCall(part, findBlob(extras, from, 'call_item'), namespaces))
    } else if (part?.type === 'reasoning') {
      const { to, members } = writeReasoning(parts, from, extras)
      add('rs', from, to, members)
    } else {
      const { to, members } = writeMessage(parts, from, extras)
      add('msg', from, to, members)
    }
  }
  return items
}

/** The end of a run of `count` parts of these types; of one part if there are not that many. */
const endOf = (parts: readonly ReplyPart[], from: number, count: number, types: readonly string[]): number => {
  const to = from + Math.max(1, count)
  const isWhole = to <= parts.length && parts.slice(from, to).every(({ type }) => types.includes(type))
  return isWhole ? to : from + 1
}

const textsOf = (parts: readonly ReplyPart[]): string[] => parts.map((part) => ('text' in part ? part.text : ''))

const writeReasoning = (parts: readonly ReplyPart[], from: number, extras: ReplyExtras | undefined) => {
  const blob = findBlob(extras, from, 'reasoning_item')
  const content = toCount(blob.content)
  // Thinking that shows no text is an item all the same.
  const given = toCount(blob.summary) ?? (textsOf(parts.slice(from, from + 1))[0] === '' ? 0 : undefined)
  const to = endOf(parts, from, (given ?? 1) + (content ?? 0), ['reasoning'])
  const texts = textsOf(parts.slice(from, to))
  const isDivided = texts.length === (given ?? 1) + (content ?? 0)
  const shown = isDivided ? texts : texts.filter((text) => text !== '')
  const summary = isDivided ? (given ?? 1) : content === undefined ? shown.length : 0
  const write = (type: string, text: string, nth: number): JsonObject => ({
    type,
    text,
    ...(isDivided && writeOthers(extras, 'thinking', from + nth)),
  })
  const members = {
    type: 'reasoning',
    summary: shown.slice(0, summary).map((text, nth) => write('summary_text', text, nth)),
    ...(content !== undefined && {
      content: shown.slice(summary).map((text, nth) => write('reasoning_text', text, summary + nth)),
    }),
    ...(blob.encrypted_content !== undefined && { encrypted_content: blob.encrypted_content }),
  }
  return { to, members }
}

const writeMessage = (parts: readonly ReplyPart[], from: number, extras: ReplyExtras | undefined) => {
  const { parts: count, phase } = findBlob(extras, from, 'message_item')
  const to = endOf(parts, from, toCount(count) ?? 1, ['text', 'refusal'])
  const said = count === 0 ? [] : parts.slice(from, to)
  const content = said.flatMap((part, nth): JsonObject[] => {
    const others = writeOthers(extras, 'content', from + nth)
    if (part.type === 'refusal') return [{ type: 'refusal', refusal: part.text, ...others }]
    return part.type === 'text'
      ? [{ type: 'output_text', annotations: [], logprobs: [], text: part.text, ...others }]
      : []
  })
  const members = {
    type: 'message',
    status: 'completed',
    role: 'assistant',
    ...(phase !== undefined && { phase }),
    content,
  }
  return { to, members }
}

const writeCall = (
  part: ToolUsePart,
  { namespace, ...blob }: JsonObject,
  namespaces: readonly unknown[],
): JsonObject => {
  const dot = part.toolName.indexOf('.')
  const isNamespaced = dot > 0 && [namespace, ...namespaces].includes(part.toolName.slice(0, dot))
  const name = isNamespaced
    ? { name: part.toolName.slice(dot + 1), namespace: part.toolName.slice(0, dot) }
    : { name: part.toolName }
  const rest = { call_id: part.toolCallId, ...name, ...blob }
  return part.kind === 'custom'
    ? { type: 'custom_tool_call', status: 'completed', input: String(part.toolInput), ...rest }
    : { type: 'function_call', status: 'completed', arguments: toArgumentText(part), ...rest }
}
