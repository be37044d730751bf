import type { JsonObject, ReplyPart } from '@retake/trace'
import { type Cut, createCut } from '../chunks.ts'
import { toObjects, toText } from '../json-members.ts'
import { writeOthers } from '../reply-members.ts'
import { formatSse, sseHeaders } from '../sse.ts'
import type { WireAnswer, WriteContext } from '../wire.ts'
import type { WrittenItem } from './write-items.ts'
import { writeResponse } from './write-response.ts'

/** An event without its number. */
export type Event = JsonObject & { type: string }

/** All events of one response (https://platform.openai.com/docs/api-reference/responses-streaming). */
export const writeStream = (
  parts: readonly ReplyPart[],
  items: readonly WrittenItem[],
  response: JsonObject,
  context: WriteContext,
): WireAnswer => {
  const type = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed'
  return {
    status: 200,
    headers: { ...sseHeaders },
    body: formatEvents([
      ...writeEvents(items, context, parts.length),
      { type, response, ...writeOthers(context.extras, 'event') },
    ]),
  }
}

/** Each with its number, and with its type on a line of its own as well. */
export const formatEvents = (events: readonly Event[]): string[] =>
  events.map((event, number) => formatSse({ ...event, sequence_number: number }, event.type))

/** The start of a response and its items. Of the parts `complete` ones are closed. */
export const writeEvents = (items: readonly WrittenItem[], context: WriteContext, complete: number): Event[] => {
  const cut = createCut(context.extras?.chunks)
  const response = writeResponse(context)
  return [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...items.flatMap(({ item, to }, index) => {
      const where = { output_index: index, item_id: item.id ?? '' }
      const events = writeItemEvents(item, where, cut, to <= complete)
      return [
        { type: 'response.output_item.added', output_index: index, item: emptied(item) },
        ...events,
        ...(to <= complete ? [{ type: 'response.output_item.done', output_index: index, item }] : []),
      ]
    }),
  ]
}

/** An item before anything of it has come. */
const emptied = (item: JsonObject): JsonObject => ({
  ...item,
  ...('status' in item && { status: 'in_progress' }),
  ...('content' in item && { content: [] }),
  ...('summary' in item && { summary: [] }),
  ...('arguments' in item && { arguments: '' }),
  ...('input' in item && { input: '' }),
})

const writeItemEvents = (item: JsonObject, where: JsonObject, cut: Cut, isComplete: boolean): Event[] => {
  const write = (word: string, at: JsonObject, text: string, done: JsonObject, rest: JsonObject = {}): Event[] => [
    ...(text === '' ? [] : cut(text)).map((delta) => ({ type: `response.${word}.delta`, ...at, delta, ...rest })),
    ...(isComplete ? [{ type: `response.${word}.done`, ...at, ...done, ...rest }] : []),
  ]
  const within = (kind: string, at: JsonObject, part: JsonObject, empty: JsonObject, events: Event[]): Event[] => [
    { type: `response.${kind}.added`, ...at, part: { ...part, ...empty } },
    ...events,
    ...(isComplete ? [{ type: `response.${kind}.done`, ...at, part }] : []),
  ]

  switch (item.type) {
    case 'function_call': {
      const text = toText(item.arguments)
      return write('function_call_arguments', where, text, { name: item.name ?? '', arguments: text })
    }
    case 'custom_tool_call': {
      const text = toText(item.input)
      return write('custom_tool_call_input', where, text, { input: text })
    }
    default: {
      const summary = toObjects(item.summary).flatMap((part, nth) => {
        const at = { ...where, summary_index: nth }
        const text = toText(part.text)
        // An open part of thinking that has no text yet is told by its item alone.
        if (text === '' && !isComplete) return []
        const events = write('reasoning_summary_text', at, text, { text })
        return within('reasoning_summary_part', at, part, { text: '' }, events)
      })
      const content = toObjects(item.content).flatMap((part, nth) => {
        const at = { ...where, content_index: nth }
        const text = toText(part.text)
        if (part.type === 'refusal') {
          const refusal = toText(part.refusal)
          return within('content_part', at, part, { refusal: '' }, write('refusal', at, refusal, { refusal }))
        }
        if (part.type === 'reasoning_text') {
          return within('content_part', at, part, { text: '' }, write('reasoning_text', at, text, { text }))
        }
        const events = write('output_text', at, text, { text }, { logprobs: [] })
        return within('content_part', at, part, { text: '' }, events)
      })
      return [...summary, ...content]
    }
  }
}
