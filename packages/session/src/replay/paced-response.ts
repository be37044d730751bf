import type { ReplyExtras, WireAnswer } from '@retake/providers'
import { toResponse } from '../seam/respond.ts'

// Captured at import: a test may install fake timers later.
const { setTimeout, clearTimeout } = globalThis
const now = performance.now.bind(performance)

/** When the bytes of a recorded reply came, in milliseconds since its request. */
export interface Timing {
  firstByteMs: number
  durationMs: number
}

/** Undefined where the recording holds no times. */
export const timingOf = ({ firstByteMs, durationMs }: ReplyExtras = {}): Timing | undefined =>
  firstByteMs === undefined || durationMs === undefined ? undefined : { firstByteMs, durationMs }

/**
 * A complete answer at the pace of the recording: a whole body when it had come, the events of a stream one after the
 * other between the first byte and the last.
 */
export async function pacedResponse(
  answer: WireAnswer,
  url: string,
  signal: AbortSignal | undefined,
  { firstByteMs, durationMs }: Timing,
): Promise<Response> {
  const startedAt = now()
  const until = (ms: number) => sleep(startedAt + ms - now(), signal)
  const { body } = answer
  if (typeof body === 'string') {
    await until(durationMs)
    return toResponse(answer, url, signal)
  }
  await until(firstByteMs)
  const gap = (durationMs - firstByteMs) / Math.max(1, body.length - 1)
  return toResponse(answer, url, signal, (nth) => until(firstByteMs + nth * gap))
}

/** @throws the reason of the signal when it fires */
function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
