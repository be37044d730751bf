import type { JsonObject, ReplyPart } from '@retake/trace'
import { createCut } from '../chunks.ts'
import { isNothing, toObject } from '../json-members.ts'
import { writeOthers } from '../reply-members.ts'
import { formatSse, sseHeaders } from '../sse.ts'
import type { Turn, WireAnswer, WriteContext } from '../wire.ts'
import { hasGroqUsage, writeMessageBlobs, writesContentChunks, writtenReasoningFields } from './blobs.ts'
import { writeStop } from './stop.ts'
import { writeUsage } from './usage.ts'
import { writeCall, writeHead, writeThinkingChunk } from './write-message.ts'

/**
 * The chunks of one completion: role, the parts in order, the reason, usage, `[DONE]`
 * (https://platform.openai.com/docs/api-reference/chat-streaming). Usage has a chunk of its own if the request asks for
 * it; vendors that count unasked do so in the last chunk, and only recorded counts are written there.
 */
export const writeStream = (turn: Turn, context: WriteContext): WireAnswer => {
  const { request, extras } = context
  const usage = writeUsage(extras)
  const asked = toObject(request.body.stream_options).include_usage === true
  const reason = writeStop(turn)
  const unasked = !asked && extras?.tokens ? { usage } : {}
  const last = {
    ...unasked,
    ...writeGroq(context, hasGroqUsage(extras) ? { usage } : {}),
    ...writeOthers(extras, 'reply'),
  }
  const delta = writeOthers(extras, 'message')
  const { message, ...ofChoice } = writeOthers(extras, 'choice')
  const parts = writeParts(turn.parts, context, message === undefined ? {} : { message })
  const isSilent = reason === null && [last, delta, ofChoice].every(isNothing)
  return {
    status: 200,
    headers: { ...sseHeaders },
    body: [
      ...parts,
      ...(isSilent ? [] : [writeChunk(context, delta, reason, last, ofChoice)]),
      ...(asked ? [formatSse({ ...chunkHead(context), choices: [], usage })] : []),
      formatSse('[DONE]'),
    ],
  }
}

/** What Groq says in a member of its own; absent where it says nothing. */
export const writeGroq = ({ replyId, extras }: WriteContext, counts: JsonObject = {}): JsonObject => {
  const members = { ...counts, ...writeOthers(extras, 'groq') }
  return isNothing(members) ? {} : { x_groq: { id: `req_${replyId}`, ...members } }
}

const chunkHead = (context: WriteContext): JsonObject => ({ ...writeHead(context), object: 'chat.completion.chunk' })

export const writeChunk = (
  context: WriteContext,
  delta: JsonObject,
  reason: string | null = null,
  rest: JsonObject = {},
  ofChoice: JsonObject = {},
): string =>
  formatSse({
    ...chunkHead(context),
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason, ...ofChoice }],
    ...rest,
  })

/** The role and the parts of a reply, without its end. `beside` stands next to the last delta. */
export const writeParts = (parts: readonly ReplyPart[], context: WriteContext, beside: JsonObject = {}): string[] => {
  const { extras, request } = context
  const cut = createCut(extras?.chunks)
  const inChunks = writesContentChunks(extras, request.url)
  const fields = writtenReasoningFields(extras)
  const blobs = writeMessageBlobs(extras)
  const hasBlobs = Object.keys(blobs).length > 0
  const firstReasoning = parts.findIndex((part) => part.type === 'reasoning' && part.text !== '')
  const hasText = parts.length === 0 || parts.some(({ type }) => type === 'text')
  let calls = 0

  const write = (part: ReplyPart, index: number): JsonObject[] => {
    if (part.type === 'tool_use') return writeCallDeltas(part, index)
    if (part.type === 'media' || part.text === '') return []
    const pieces = cut(part.text)
    const isChunk = part.type === 'text' && !isNothing(writeOthers(extras, 'chunk', index))
    if (isChunk)
      return writeChunks(
        pieces.map((text) => ({ type: 'text', text })),
        index,
      )
    if (part.type !== 'reasoning')
      return pieces.map((text) => ({ [part.type === 'text' ? 'content' : 'refusal']: text }))
    // The blobs repeat the thinking as a whole; beside only a piece of it clients would show it twice.
    const texts = hasBlobs ? [part.text] : pieces
    const deltas = inChunks
      ? writeChunks(texts.map(writeThinkingChunk), index)
      : texts.map((text): JsonObject => Object.fromEntries(fields.map((name) => [name, text])))
    return hasBlobs && index === firstReasoning ? [{ ...deltas[0], ...blobs }] : deltas
  }

  /** The last one ends the part, and has what is said of it. */
  const writeChunks = (chunks: JsonObject[], index: number): JsonObject[] =>
    chunks.map((chunk, nth) => ({
      content: [nth === chunks.length - 1 ? { ...chunk, ...writeOthers(extras, 'chunk', index) } : chunk],
    }))

  /** Name and first arguments in one delta: some clients want a name in each. */
  const writeCallDeltas = (part: Extract<ReplyPart, { type: 'tool_use' }>, index: number): JsonObject[] => {
    const whole = writeCall(part, index, extras)
    const member = part.kind === 'custom' ? 'custom' : 'function'
    const textMember = part.kind === 'custom' ? 'input' : 'arguments'
    const call = toObject(whole[member])
    const nth = calls++
    const text = call[textMember]
    const [first = '', ...rest] = cut(typeof text === 'string' ? text : JSON.stringify(text ?? null))
    if (typeof text !== 'string') return [{ tool_calls: [{ index: nth, ...whole }] }]
    return [
      { tool_calls: [{ index: nth, ...whole, [member]: { ...call, [textMember]: first } }] },
      ...rest.map((piece) => ({ tool_calls: [{ index: nth, [member]: { [textMember]: piece } }] })),
    ]
  }

  const deltas: JsonObject[] = [
    { role: 'assistant', content: hasText ? '' : null, refusal: null },
    ...parts.flatMap(write),
    ...(hasBlobs && firstReasoning === -1 ? [blobs] : []),
  ]
  return deltas.map((delta, nth) => writeChunk(context, delta, null, {}, nth === deltas.length - 1 ? beside : {}))
}
