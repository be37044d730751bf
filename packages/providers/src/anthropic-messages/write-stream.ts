import type { JsonObject, ReplyPart } from '@retake/trace'
import { type Cut, createCut } from '../chunks.ts'
import { toText } from '../json-members.ts'
import { writeOthers } from '../reply-members.ts'
import { formatSse, sseHeaders } from '../sse.ts'
import { toArgumentText } from '../tool-arguments.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { writeStop } from './stop.ts'
import { writeStartUsage, writeUsage } from './usage.ts'
import { writeBlock, writeHead } from './write-message.ts'

/** SDKs drop an event without its `event:` line. */
const event = (type: string, members: JsonObject): string => formatSse({ type, ...members }, type)

/** All events of one message (https://platform.claude.com/docs/en/build-with-claude/streaming). */
export const writeStream = (turn: Turn, context: WriteContext): WireAnswer => {
  const { extras } = context
  return {
    status: 200,
    headers: { ...sseHeaders },
    body: [
      ...writeParts(turn.parts, context),
      event('message_delta', {
        delta: writeStop(turn, extras),
        usage: writeUsage(extras),
        ...writeOthers(extras, 'message'),
      }),
      event('message_stop', {}),
    ],
  }
}

/** The start and the blocks of a message, without its end. Of the blocks `complete` ones are closed, all by default. */
export const writeParts = (
  parts: readonly ReplyPart[],
  context: WriteContext,
  complete: number = parts.length,
): string[] => {
  const { extras } = context
  const cut = createCut(extras?.chunks)
  const message = {
    ...writeHead(context),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: writeStartUsage(extras),
  }
  const events = [event('message_start', { message })]
  let index = 0
  for (const [nth, part] of parts.entries()) {
    const block = writeBlock(part, nth, extras)
    if (!block) continue
    const { start, deltas } = writeBlockEvents(part, block, cut)
    events.push(event('content_block_start', { index, content_block: start }))
    events.push(...deltas.map((delta) => event('content_block_delta', { index, delta })))
    if (nth < complete) events.push(event('content_block_stop', { index }))
    index++
  }
  return events
}

const writeBlockEvents = (
  part: ReplyPart,
  block: JsonObject,
  cut: Cut,
): { start: JsonObject; deltas: JsonObject[] } => {
  if (part.type === 'tool_use') {
    const deltas = cut(toArgumentText(part)).map((text) => ({ type: 'input_json_delta', partial_json: text }))
    return { start: { ...block, input: {} }, deltas }
  }
  if (part.type === 'text') {
    return {
      start: { ...block, text: '' },
      deltas: part.text === '' ? [] : cut(part.text).map((text) => ({ type: 'text_delta', text })),
    }
  }
  if (block.type !== 'thinking') return { start: block, deltas: [] }
  const thinking = toText(block.thinking)
  return {
    start: { ...block, thinking: '', signature: '' },
    deltas: [
      ...(thinking === '' ? [] : cut(thinking).map((text) => ({ type: 'thinking_delta', thinking: text }))),
      { type: 'signature_delta', signature: toText(block.signature) },
    ],
  }
}
