import { answersInStream, type Reply, readAnswer, type StreamReader, type WireError } from '@retake/providers'
import { RetakeError, UnsupportedError } from '@retake/trace'
import { toWireRequest } from '../miss.ts'
import { fetchApart } from '../seam/own-call.ts'
import { withUrl } from '../seam/respond.ts'
import type { ModelRequest } from '../seam/shared.ts'
import { aborted, isHangUp, watchAttempt } from './broken-attempt.ts'
import { type Stopwatch, startStopwatch } from './stopwatch.ts'

/** How one attempt ended. `refused`: it could not be made, or retake could not give the reply back. */
export type Ended = { reply: Reply } | { error: WireError } | { refused: RetakeError }

export interface LiveCall {
  /** When the request was made, in milliseconds since the epoch. */
  readonly startedAt: number
  /** Called once, when the attempt is over; for a stream that is after the client got its first parts. */
  ended(how: Ended): void
  /** Called when the client has the response. Of a stream, `close` ends it as if the client had hung up. */
  handedOver(close?: () => void): void
  /** The answer for an attempt that was refused before the client saw any of it. */
  refuse(error: RetakeError): Response
}

/** Makes the real request, hands the reply on as it arrives, and keeps a decoded copy. */
export async function callProvider(request: ModelRequest, given: LiveCall): Promise<Response> {
  const watch = startStopwatch()
  const call: LiveCall = { ...given, ended: (how) => given.ended(watch.timed(how)) }
  const { url, method, headers, text, signal } = request
  const brokeOff = watchAttempt(request)
  let response: Response
  try {
    const init = { ...request.init, method, headers, body: text, ...(signal && { signal }) }
    response = await fetchApart(url, init)
  } catch (error) {
    if (error instanceof RetakeError) {
      call.ended({ refused: error })
      return call.refuse(error)
    }
    call.ended({ error: brokeOff(error, 0) })
    throw error
  }
  const hand = (body: BodyInit | null, close?: () => void) => {
    call.handedOver(close)
    const { status, statusText, headers } = response
    return withUrl(new Response(body, { status, statusText, headers }), response.url, response.redirected)
  }
  /** The client sees where a body broke off; one that hung up itself has not seen the response. */
  const handBroken = (body: string, failure: unknown) => {
    const error = brokeOff(failure, response.status)
    if (isHangUp(error)) {
      call.ended({ error: { ...error, status: 0 } })
      throw failure
    }
    call.ended({ error })
    return hand(brokenBody(body, failure))
  }
  if (response.status >= 400) {
    // SDKs throw error bodies away unread, so it is read here, before anybody can hang up.
    const { body, failure } = await readBody(response)
    if (failure !== undefined && signal?.aborted) return handBroken(body, failure)
    call.ended({ error: request.wire.readError(response.status, Object.fromEntries(response.headers), body) })
    return hand(body)
  }
  if (response.body && isStream(request, response)) {
    const { stream, close } = passOn(response.body, request.wire.openStream(), { ...call, byte: watch.byte }, brokeOff)
    return hand(stream, close)
  }
  const { body, failure } = await readBody(response, watch.byte)
  if (failure !== undefined) return handBroken(body, failure)
  const how = readReply(request, body)
  call.ended(how)
  return 'refused' in how ? call.refuse(how.refused) : hand(body)
}

/** All of a body, or what of it came before it broke off. */
async function readBody({ body }: Response, onByte?: () => void): Promise<{ body: string; failure?: unknown }> {
  const utf8 = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) {
      onByte?.()
      text += utf8.decode(chunk, { stream: true })
    }
  } catch (failure) {
    return { body: text, failure }
  }
  return { body: text + utf8.decode() }
}

const isStream = (request: ModelRequest, response: Response): boolean =>
  answersInStream(request.wire, toWireRequest(request), response.headers.get('content-type') ?? '')

function readReply({ wire }: ModelRequest, text: string): Ended {
  try {
    return readAnswer(wire, text)
  } catch (error) {
    if (error instanceof UnsupportedError) return { refused: error }
    throw error
  }
}

/** A stream that gives every chunk to the client when it arrives and lets `reader` see it first. */
function passOn(
  source: ReadableStream<Uint8Array>,
  reader: StreamReader,
  call: Pick<LiveCall, 'ended'> & Pick<Stopwatch, 'byte'>,
  brokeOff: (error: unknown, status: number) => WireError,
): { stream: ReadableStream<Uint8Array>; close: () => void } {
  const chunks = source.getReader()
  let over = false
  const settle = (broken?: WireError) => {
    if (over) return
    over = true
    call.ended(endOfStream(reader, broken))
  }
  // An abort while nobody reads would otherwise go unseen.
  chunks.closed.catch((error) => settle(brokeOff(error, 200)))
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.read()
          if (done) {
            settle()
            return controller.close()
          }
          call.byte()
          reader.push(value)
          if (reader.terminated) settle()
          controller.enqueue(value)
        } catch (error) {
          settle(brokeOff(error, 200))
          controller.error(error)
        }
      },
      cancel(reason) {
        settle(aborted(200))
        return chunks.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, close: () => settle(aborted(200)) }
}

function endOfStream(reader: StreamReader, broken: WireError | undefined): Ended {
  try {
    const hungUp = broken !== undefined && isHangUp(broken)
    const end = reader.finish(hungUp)
    if (!broken || reader.terminated || ('error' in end && end.error.kind !== 'cut')) return end
    if (hungUp && 'reply' in end) return end
    // What had arrived stays with the attempt; the reason is ours, not the wire's.
    return { error: { ...broken, ...arrivedIn(end) } }
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error
    // Nothing had come when it broke off.
    if (broken && error.details.name === 'empty captured body') return { error: broken }
    return { refused: error }
  }
}

function arrivedIn(end: Exclude<Ended, { refused: unknown }>): Pick<WireError, 'parts' | 'afterParts' | 'chunks'> {
  if ('reply' in end) {
    const { chunks } = end.reply.extras
    return { parts: end.reply.turn.parts, ...(chunks && { chunks }) }
  }
  const { parts, afterParts, chunks } = end.error
  return { ...(parts && { parts }), ...(afterParts !== undefined && { afterParts }), ...(chunks && { chunks }) }
}

const brokenBody = (text: string, failure: unknown): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      start: (controller) => (text === '' ? undefined : controller.enqueue(new TextEncoder().encode(text))),
      pull: (controller) => controller.error(failure),
    },
    { highWaterMark: 0 },
  )
