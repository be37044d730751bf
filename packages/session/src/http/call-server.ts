import type { HttpAnswer, WireError } from '@retake/providers'
import { isHangUp, watchAttempt } from '../record/broken-attempt.ts'
import { withUrl } from '../seam/respond.ts'
import type { HttpRequest } from './http-request.ts'

/** How a request ended: with an answer, which may be cut off, or without any. */
export type HttpEnd = { answer: HttpAnswer } | { failure: WireError }

export interface ServerCall {
  /** Called once, when the body has come to its end. */
  ended(how: HttpEnd): void
  /** Called instead where a mock of the user took the request; it will do so in a replay. */
  dropped(): void
  /** Called when the client has the response; `close` ends its body as if the client had hung up. */
  handedOver(close: () => void): void
}

/** Makes the real request, hands the response on as it arrives, and keeps a decoded copy. */
export async function callServer(request: HttpRequest, call: ServerCall): Promise<Response> {
  const brokeOff = watchAttempt(request)
  const sent = await request.send()
  if (sent.mocked) call.dropped()
  else if ('error' in sent) call.ended({ failure: brokeOff(sent.error, 0) })
  if ('error' in sent) throw sent.error
  const { response } = sent
  if (sent.mocked) return response
  const { status, statusText, headers, redirected, url } = response
  const ended = (bytes: Uint8Array<ArrayBuffer>, end?: HttpAnswer['end']) =>
    call.ended({
      answer: {
        status,
        statusText,
        headers: Object.fromEntries(headers),
        bytes,
        ...(end && { end }),
        ...(redirected && { url }),
      },
    })
  if (!response.body) {
    ended(new Uint8Array())
    return response
  }
  const isHungUp = (error: unknown) => isHangUp(brokeOff(error, status))
  const { body, close } = copied(response.body, ended, (error) => (isHungUp(error) ? 'aborted' : 'cut'))
  call.handedOver(close)
  return withUrl(new Response(body, { status, statusText, headers: [...headers] }), url, redirected)
}

/**
 * The same body, read to its end whether or not the client reads it, so that it is whole where the client looks at the
 * status only.
 */
function copied(
  source: ReadableStream<Uint8Array>,
  over: (bytes: Uint8Array<ArrayBuffer>, end?: HttpAnswer['end']) => void,
  endOf: (error: unknown) => HttpAnswer['end'],
) {
  const reader = source.getReader()
  const chunks: Uint8Array[] = []
  let settled = false
  const settle = (end?: HttpAnswer['end']) => {
    if (settled) return
    settled = true
    over(new Uint8Array(Buffer.concat(chunks)), end)
  }
  const close = (reason?: unknown): Promise<void> => {
    settle('aborted')
    return reader.cancel(reason).catch(() => {})
  }
  // The stream must not wait for all of it: the client gets its first part at once.
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void pump(controller), cancel: close })
  return { body, close: () => void close() }

  async function pump(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (settled) return
        if (done) break
        chunks.push(value)
        controller.enqueue(value)
      }
      settle()
      controller.close()
    } catch (error) {
      settle(endOf(error))
      controller.error(error)
    }
  }
}
