import type { JsonValue } from '@retake/trace'
import { jsonHeaders } from './sse.ts'
import type { WireAnswer, WireError } from './wire.ts'

type Headers = Readonly<Record<string, string>>

const kinds: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'authentication',
  402: 'billing',
  403: 'permission',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  413: 'too_large',
  422: 'invalid_request',
  429: 'rate_limit',
  503: 'unavailable',
  504: 'timeout',
  529: 'overloaded',
}

/** The neutral word for a status of 400 or more. */
export const kindOfStatus = (status: number): string => kinds[status] ?? (status >= 500 ? 'server' : 'invalid_request')

/** Statuses that the SDKs of OpenAI and Anthropic try again without being told to. */
const isRetried = (status: number): boolean => [408, 409, 429].includes(status) || status >= 500

/** What the headers say about another attempt. A date is measured against the `date` header of the same answer. */
export const readRetry = (
  status: number,
  headers: Headers,
): Pick<WireError, 'retryAfterMs' | 'retryAfterIn' | 'noRetry'> => {
  const retryAfterMs = readWait(headers)
  const told = headers['x-should-retry']
  return {
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(retryAfterMs !== undefined && headers['retry-after'] === undefined && { retryAfterIn: 'ms' }),
    ...(told === 'false' && { noRetry: true }),
    ...(told === 'true' && !isRetried(status) && { noRetry: false }),
  }
}

const readWait = (headers: Headers): number | undefined => {
  const milliseconds = toNumber(headers['retry-after-ms'])
  if (milliseconds !== undefined) return milliseconds
  const wait = headers['retry-after']
  const seconds = toNumber(wait)
  if (seconds !== undefined) return Math.round(seconds * 1000)
  const until = Date.parse(wait ?? '')
  const now = Date.parse(headers.date ?? '')
  return Number.isNaN(until) || Number.isNaN(now) ? undefined : Math.max(0, until - now)
}

const toNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined

/** Above this no SDK waits: some give up instead, so that it has to be told as it was. */
const longestWait = 60_000

/**
 * The wait is one millisecond: a replay has nothing to wait for. `retry-after-ms` hurries the SDKs that read it; the other
 * header is written only where it was told, since to some that is the reason to try again.
 */
const writeRetry = ({ status, noRetry, retryAfterMs, retryAfterIn }: WireError): Record<string, string> => ({
  ...((isRetried(status) || noRetry === false) && {
    'retry-after-ms': '1',
    ...(retryAfterMs !== undefined &&
      !retryAfterIn && {
        'retry-after': retryAfterMs > longestWait ? String(Math.ceil(retryAfterMs / 1000)) : '0.001',
      }),
  }),
  ...(noRetry !== undefined && { 'x-should-retry': String(!noRetry) }),
})

/**
 * An answer with a status of 400 or more. An error without any words comes back without a body, text that was no JSON
 * as text.
 */
export const writeHttpError = (error: WireError, body: JsonValue): WireAnswer => {
  const { status, message, type, code, param } = error
  const text = typeof error.error === 'string' ? error.error : undefined
  const isEmpty = error.error === undefined && message === '' && !type && !code && !param
  const textType = text?.trimStart().startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8'
  return {
    status,
    headers: { ...(text === undefined ? jsonHeaders : { 'content-type': textType }), ...writeRetry(error) },
    body: isEmpty ? '' : (text ?? JSON.stringify(error.error ?? body)),
  }
}

/**
 * The client's own `AbortSignal.timeout` was over. SDKs ask that signal what happened, so it has to fire again; their own
 * time-outs they know by the error alone.
 */
export const isOwnTimeout = ({ kind, code }: Pick<WireError, 'kind' | 'code'>): boolean =>
  kind === 'timeout' && code === 'TimeoutError'

/** How the body of an attempt ends that broke off without an error of the provider. */
export const brokenEnd = (error: WireError): WireAnswer['end'] => {
  const { status, kind } = error
  if (status !== 0 && status !== 200) return undefined
  if (kind === 'aborted' || isOwnTimeout(error)) return 'silent'
  if (kind === 'timeout') return 'timeout'
  if (kind === 'cut') return 'early'
  return kind === 'network' ? 'cut' : undefined
}
