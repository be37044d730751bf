import { deepStrictEqual } from 'node:assert'
import { findWire, type Wire, type WireAnswer, type WireRequest, wires } from '@retake/providers'
import { isJsonObject, type JsonObject, type JsonValue, UnsupportedError } from '@retake/trace'
import { readBody } from './read-body.ts'

export interface Exchange {
  provider: string
  endpoint: string
  streaming: boolean
  request: { url: string; headers?: Record<string, string>; body: JsonValue } | null
  response: { status: number; headers?: Record<string, string>; body: JsonValue }
}

export interface Verdict {
  kind: 'exact' | 'refused' | 'wrong' | 'skipped'
  reason: string
  field?: string
}

const names: Record<string, string> = { 'chat.completions': 'openai.chat', messages: 'anthropic.messages' }

/** True for an endpoint whose bodies are read here; `scripts/conformance` has readers for every wire. */
export const isJudged = ({ endpoint }: Exchange): boolean => Object.hasOwn(names, endpoint)

/** Undefined for what is not judged. */
export const judge = (exchange: Exchange): Verdict | undefined => {
  const wire = wires.find(({ name }) => name === names[exchange.endpoint])
  if (!wire) return undefined
  const { request } = exchange
  if (!request) return attempt(() => judgeReply(exchange, wire, { url: 'http://localhost/', headers: {}, body: {} }))
  if (!isJsonObject(request.body)) return { kind: 'skipped', reason: 'no request body' }
  const wireRequest = { url: request.url, headers: request.headers ?? {}, body: request.body }
  if (findWire(new URL(request.url), request.body) !== wire) return { kind: 'wrong', reason: 'not found by its URL' }
  return attempt(() => {
    wire.readRequest(wireRequest)
    return judgeReply(exchange, wire, wireRequest)
  })
}

const attempt = (judged: () => Verdict): Verdict => {
  try {
    return judged()
  } catch (error) {
    if (error instanceof UnsupportedError)
      return { kind: 'refused', reason: String(error.details.name), field: String(error.details.field) }
    return { kind: 'wrong', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

const judgeReply = (exchange: Exchange, wire: Wire, request: WireRequest): Verdict => {
  const { status, headers = {}, body } = exchange.response
  const text = typeof body === 'string' ? body : body === null ? '' : JSON.stringify(body)
  const isStream = status < 400 && typeof body === 'string'
  const asked: WireRequest = { ...request, body: { ...request.body, stream: isStream } as JsonObject }
  const context = { request: asked, replyId: 'retake0', timestamp: 1_764_460_800_000 }
  let answer: WireAnswer
  if (status >= 400) answer = wire.writeError(wire.readError(status, headers, text), context)
  else if (!isStream) {
    const { turn, extras } = wire.readReply(body)
    answer = wire.writeReply(turn, { ...context, extras })
    deepStrictEqual(wire.readReply(JSON.parse(String(answer.body))), { turn, extras })
    const bare = wire.writeReply(turn, context)
    deepStrictEqual(wire.readReply(JSON.parse(String(bare.body))).turn, turn)
  } else {
    const end = readStream(wire, text)
    if ('reply' in end) {
      const { turn, extras } = end.reply
      answer = wire.writeReply(turn, { ...context, extras })
      const again = readStream(wire, joined(answer))
      if (!('reply' in again)) return { kind: 'wrong', reason: 'the written stream is not complete' }
      const bare = readStream(wire, joined(wire.writeReply(turn, context)))
      deepStrictEqual('reply' in bare && bare.reply.turn, turn)
      // Delta sizes are a matter of pace: thinking that comes with a blob is written in one delta.
      const { chunks: _, ...others } = extras
      const { chunks: __, ...othersAgain } = again.reply.extras
      deepStrictEqual([again.reply.turn, othersAgain], [turn, others])
    } else answer = wire.writeError(end.error, context)
  }
  deepStrictEqual(
    {
      status: answer.status,
      ...readBody(wire.name, answer.status, joined(answer)),
      ...(answer.end && { end: answer.end }),
    },
    { status, ...readBody(wire.name, status, text) },
  )
  return { kind: 'exact', reason: '' }
}

const joined = ({ body }: WireAnswer): string => (typeof body === 'string' ? body : body.join(''))

const readStream = (wire: Wire, text: string) => {
  const reader = wire.openStream()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 7) reader.push(bytes.subarray(at, at + 7))
  return reader.finish()
}
