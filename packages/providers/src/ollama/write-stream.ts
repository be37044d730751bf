import type { JsonObject, ReplyPart } from '@retake/trace'
import { createCut } from '../chunks.ts'
import { writeOthers } from '../reply-members.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { formatLine, lineHeaders } from './json-lines.ts'
import { messagePlace } from './reply-members.ts'
import { writeCall, writeEnding, writeHead } from './write-message.ts'

/** The lines of a reply: the parts in order, then one with the reason and the counts. */
export const writeStream = (turn: Turn, context: WriteContext): WireAnswer => {
  const { extras } = context
  const message = { role: 'assistant', content: '', ...writeOthers(extras, messagePlace) }
  const last = { ...writeHead(context), message, ...writeEnding(turn, extras) }
  return {
    status: 200,
    headers: { ...lineHeaders },
    body: [...writeParts(turn.parts, context), formatLine(last)],
  }
}

/** The lines with the parts of a reply, without its end. */
export const writeParts = (parts: readonly ReplyPart[], context: WriteContext): string[] => {
  const head = writeHead(context)
  const cut = createCut(context.extras?.chunks)
  let calls = 0
  const write = (part: ReplyPart, index: number): JsonObject[] => {
    if (part.type === 'tool_use')
      return [{ content: '', tool_calls: [writeCall(part, calls++, index, context.extras)] }]
    if (part.type === 'media' || part.text === '') return []
    const pieces = cut(part.text)
    if (part.type === 'reasoning') return pieces.map((thinking) => ({ content: '', thinking }))
    return pieces.map((content) => ({ content }))
  }
  return parts
    .flatMap(write)
    .map((message) => formatLine({ ...head, message: { role: 'assistant', ...message }, done: false }))
}
