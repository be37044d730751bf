import type { JsonObject } from '@retake/trace'
import { isNothing, toList, toObject, toText } from '../json-members.ts'
import { createPartCollector, extend, type PartDraft } from '../part-collector.ts'
import { othersBlob, othersOf } from '../reply-members.ts'
import { createReader, type StreamWire } from '../stream-reader.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply, StreamReader, WireError } from '../wire.ts'
import { readFailure, readStreamError } from './error.ts'
import { toToolName } from './items.ts'
import { type OpenItem, toItem } from './open-item.ts'
import { readOutput, refuseContent, refuseOutputItem } from './read-output.ts'
import { finishReply } from './read-reply.ts'
import { endingMembers } from './reply-members.ts'

/** Reads the events of one response (https://platform.openai.com/docs/api-reference/responses-streaming). */
export const openStream = (): StreamReader => createReader(createResponseStream())

type DraftType = PartDraft['type']

/** What a delta event extends. */
const deltas = new Map<string, DraftType>([
  ['response.output_text.delta', 'text'],
  ['response.refusal.delta', 'refusal'],
  ['response.reasoning_summary_text.delta', 'reasoning'],
  ['response.reasoning_text.delta', 'reasoning'],
  ['response.function_call_arguments.delta', 'tool_use'],
  ['response.custom_tool_call_input.delta', 'tool_use'],
])

const createResponseStream = (): StreamWire => {
  const collector = createPartCollector()
  const items = new Map<number, OpenItem>()
  let final: JsonObject | undefined
  let others: JsonObject = {}
  let servedModel = ''

  const onEvent = (event: JsonObject): 'terminated' | WireError | undefined => {
    const type = toText(event.type)
    servedModel = toText(toObject(event.response).model) || servedModel
    switch (type) {
      case 'response.output_item.added':
        onItem(event, toObject(event.item))
        return undefined
      case 'response.output_item.done':
        onItemDone(event, toObject(event.item))
        return undefined
      case 'response.content_part.added':
        onPart(event, toObject(event.part))
        return undefined
      case 'response.output_text.annotation.added':
        throw unsupported('citations, annotations, search results, grounding', `${pathOf(event)}.annotations`)
      case 'response.queued':
        throw unsupported('background', 'status queued')
      case 'response.completed':
      case 'response.incomplete':
        final = toObject(event.response)
        others = othersOf(event, endingMembers)
        return 'terminated'
      case 'response.failed':
        return readFailure({ ...toObject(event.response), status: 'failed' })
      case 'error':
        return readStreamError(event)
      default:
        if (/^response\.audio\./.test(type)) throw unsupported('audio or image output', type)
        if (type === '' && !isNothing(event.error)) return readStreamError(event)
        if (type === '') throw unsupported('unreadable reply', 'the stream')
        onDelta(event, deltas.get(type))
        return undefined
    }
  }

  const itemOf = ({ output_index: index }: JsonObject): OpenItem => {
    const key = typeof index === 'number' ? index : 0
    const known = items.get(key)
    if (known) return known
    const item: OpenItem = { begun: {}, drafts: new Map() }
    items.set(key, item)
    return item
  }

  const draftOf = (event: JsonObject, type: DraftType): PartDraft => {
    const { drafts } = itemOf(event)
    const isSummary = event.summary_index !== undefined
    const key =
      type === 'tool_use'
        ? type
        : `${isSummary ? 'summary' : 'content'} ${event.summary_index ?? event.content_index ?? 0}`
    const known = drafts.get(key)
    if (known) return known
    // Thinking is there from the start of its item; its first text belongs to that part.
    const waiting = drafts.get('thinking')
    drafts.delete('thinking')
    const draft = waiting ?? collector.open(type)
    drafts.set(key, draft)
    return draft
  }

  const onItem = (event: JsonObject, item: JsonObject): void => {
    refuseOutputItem(item, pathOf(event))
    itemOf(event).begun = item
    if (item.type === 'reasoning') itemOf(event).drafts.set('thinking', collector.open('reasoning'))
    if (item.type !== 'function_call' && item.type !== 'custom_tool_call') return
    const draft = draftOf(event, 'tool_use')
    draft.id = toText(item.call_id)
    draft.name = toToolName(item)
    draft.custom = item.type === 'custom_tool_call'
  }

  const onItemDone = (event: JsonObject, item: JsonObject): void => {
    refuseOutputItem(item, pathOf(event))
    const open = itemOf(event)
    open.done = item
    for (const draft of open.drafts.values()) draft.complete = true
  }

  const onPart = (event: JsonObject, part: JsonObject): void => {
    refuseContent(part, `${pathOf(event)}.content`)
    const types: Readonly<Record<string, DraftType>> = { refusal: 'refusal', reasoning_text: 'reasoning' }
    draftOf(event, types[toText(part.type)] ?? 'text')
  }

  const onDelta = (event: JsonObject, type: DraftType | undefined): void => {
    if (type === undefined) return
    if (!isNothing(event.logprobs)) throw unsupported('logprobs in the reply', `${pathOf(event)}.logprobs`)
    extend(draftOf(event, type), toText(event.delta))
  }

  /** The last event repeats everything; where a vendor leaves the output out of it, the items before it are it. */
  const toReply = (): Reply => {
    const response = final ?? {}
    const told = toList(response.output)
    const arrived = [...items].sort(([a], [b]) => a - b).map(([, item]) => toItem(item))
    const output = readOutput(told.length > 0 ? told : arrived)
    const opaque = [...output.opaque, ...othersBlob('event', others)]
    return finishReply({ ...output, opaque }, response, chunksOf(output.parts))
  }

  /** The lengths of the deltas, part by part; a text that they do not make up came in one. */
  const chunksOf = (parts: Reply['turn']['parts']): number[] => {
    const rest = collector.parts().map((part, index) => ({ part, lengths: collector.drafts[index]?.lengths ?? [] }))
    return parts.flatMap((part) => {
      const text = JSON.stringify(part)
      const found = rest.findIndex((candidate) => JSON.stringify(candidate.part) === text)
      if (found !== -1) return rest.splice(found, 1)[0]?.lengths ?? []
      const length =
        part.type === 'tool_use'
          ? (part.inputText ?? JSON.stringify(part.toolInput)).length
          : 'text' in part
            ? part.text.length
            : 0
      return length > 0 ? [length] : []
    })
  }

  return {
    onEvent,
    // Without its last event the stream helper of OpenAI's own SDK has no response.
    isFinished: () => false,
    toReply,
    arrived: () => ({
      parts: collector.parts(),
      complete: collector.drafts.filter(({ complete }) => complete).length,
      chunks: collector.chunks(),
      servedModel,
    }),
  }
}

const pathOf = ({ output_index: index }: JsonObject): string => `output[${typeof index === 'number' ? index : 0}]`
