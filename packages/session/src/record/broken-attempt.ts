import type { WireError } from '@retake/providers'
import { isError } from '@retake/trace'
import type { ModelRequest } from '../seam/shared.ts'

// Captured at import: a test may install fake timers later.
const now = performance.now.bind(performance)

export const aborted = (status: number): WireError => ({ status, kind: 'aborted', message: 'the client hung up' })

/** The client ended it, and not the provider or the network. */
export const isHangUp = ({ kind }: WireError): boolean => kind === 'aborted' || kind === 'timeout'

/** Begins to watch one attempt; the function tells why it broke off. `status` is 0 as long as no response came. */
export function watchAttempt({
  signal,
  headers,
}: Pick<ModelRequest, 'signal' | 'headers'>): (error: unknown, status: number) => WireError {
  const startedAt = now()
  return (error, status) => {
    if (!signal?.aborted) return { status, ...connectionFailure(error) }
    return hasTimedOut(signal, headers, now() - startedAt) ? timeOut(signal, status) : aborted(status)
  }
}

/**
 * The time-out of an SDK can come at once in a replay; a hang-up, and `AbortSignal.timeout`, which names itself, must wait
 * for the client. The SDKs of OpenAI and Anthropic tell their time-out in whole seconds, and abort without a reason.
 */
function hasTimedOut(signal: AbortSignal, headers: Headers, elapsed: number): boolean {
  if (nameOf(signal.reason) === 'TimeoutError') return true
  const over = elapsed - Number(headers.get('x-stainless-timeout') || Number.NaN) * 1000
  return nameOf(signal.reason) === 'AbortError' && elapsed > 500 && over > -5 && over < 250
}

function timeOut({ reason }: AbortSignal, status: number): WireError {
  return { status, kind: 'timeout', message: (reason as Error).message, code: nameOf(reason) }
}

const nameOf = (reason: unknown): string => (isError(reason) ? reason.name : '')

/** `fetch` itself only says that it failed; SDKs quote its reason. */
function connectionFailure(error: unknown): Omit<WireError, 'status'> {
  const cause = (error as { cause?: { code?: unknown } }).cause
  const messages = [cause, error].map((given) => (isError(given) ? given.message : ''))
  const message = messages.find((text) => text !== '') ?? 'the connection failed'
  return { kind: 'network', message, ...(typeof cause?.code === 'string' && { code: cause.code }) }
}
