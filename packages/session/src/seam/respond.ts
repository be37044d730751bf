import { isOwnTimeout, type WireAnswer, type WireError } from '@retake/providers'

const utf8 = new TextEncoder()

/** Turns the answer of a wire into what `fetch` gives. `Response` is looked up late: happy-dom has its own. */
export function toResponse(
  answer: WireAnswer,
  url: string,
  signal: AbortSignal | undefined,
  pace?: (nth: number) => Promise<void>,
): Response {
  const body = typeof answer.body === 'string' && !answer.end ? answer.body : streamOf(answer, signal, pace)
  const { status, headers } = answer
  return withUrl(new Response(body, { status, statusText: statusTextOf(status), headers }), url)
}

/** What HTTP/1.1 says beside the number; some SDKs quote it. Node's module waits for the first failure. */
const statusTextOf = (status: number): string =>
  status === 200 ? 'OK' : (process.getBuiltinModule('node:http').STATUS_CODES[status] ?? '')

/** `new Response()` does not know where it came from. */
export const withUrl = (response: Response, url: string, redirected = false): Response =>
  Object.defineProperties(response, { url: { value: url }, redirected: { value: redirected } })

interface Chunks extends Pick<WireAnswer, 'end'> {
  body: string | readonly (string | Uint8Array)[]
}

/** A body in pieces, with the end that it had. They are there at once, or each when its `pace` is over. */
export function streamOf(
  { body, end }: Chunks,
  signal: AbortSignal | undefined,
  pace?: (nth: number) => Promise<void>,
): ReadableStream<Uint8Array> {
  const chunks = typeof body === 'string' ? [body] : body
  let sent = 0
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (!pace) while (sent < chunks.length) controller.enqueue(toBytes(chunks[sent++]))
        if (!pace && isWhole(end)) controller.close()
        else if (signal?.aborted) controller.error(signal.reason)
        signal?.addEventListener('abort', () => controller.error(signal.reason), { once: true })
      },
      // Called when the reader has taken everything.
      async pull(controller) {
        if (sent < chunks.length) {
          await pace?.(sent)
          controller.enqueue(toBytes(chunks[sent++]))
          if (sent === chunks.length && isWhole(end)) controller.close()
        } else if (end === 'cut') controller.error(terminated())
        else if (end === 'timeout') controller.error(new DOMException(timedOut, 'TimeoutError'))
        else if (end === 'silent') await new Promise(() => {})
      },
    },
    { highWaterMark: 0 },
  )
}

const toBytes = (chunk: string | Uint8Array = ''): Uint8Array =>
  typeof chunk === 'string' ? utf8.encode(chunk) : chunk

const isWhole = (end: WireAnswer['end']): boolean => !end || end === 'early'

/** What `AbortSignal.timeout` says. */
const timedOut = 'The operation was aborted due to timeout'

/** What undici raises when the other side closes in the middle of a body. */
const terminated = (): TypeError =>
  new TypeError('terminated', { cause: connectionError('other side closed', 'UND_ERR_SOCKET') })

const undiciNames: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'SocketError',
  UND_ERR_CONNECT_TIMEOUT: 'ConnectTimeoutError',
  UND_ERR_HEADERS_TIMEOUT: 'HeadersTimeoutError',
  UND_ERR_BODY_TIMEOUT: 'BodyTimeoutError',
}

/** The reason of a failed connection, as the `cause` of what `fetch` raises; undici's own classes are out of reach. */
function connectionError(message: string, code: string | undefined): Error {
  const error = Object.assign(new Error(message), code ? { code } : {})
  const name = undiciNames[code ?? '']
  return name ? Object.assign(error, { name }) : error
}

/** A request that never got a response: the connection failed, or the client gave up waiting. */
export function withoutResponse(
  error: Pick<WireError, 'kind' | 'message' | 'code'>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { kind, message, code } = error
  // The time-out of an SDK; nobody has to wait for it again.
  if (kind === 'timeout' && !isOwnTimeout(error)) return Promise.reject(new DOMException(message, code))
  if (kind !== 'aborted' && kind !== 'timeout') {
    return Promise.reject(new TypeError('fetch failed', { cause: connectionError(message, code) }))
  }
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
