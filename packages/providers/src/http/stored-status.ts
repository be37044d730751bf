import type { HttpAnswer, StoredResult } from './http-call.ts'
import { statusPhrase } from './status-phrase.ts'

/** An answer that is a failure, with its status as its class: `HTTP 429`, and `final` where it says not to try again. */
export const toStoredStatus = ({ status, headers, bytes }: HttpAnswer): StoredResult => ({
  error: Buffer.from(bytes).toString(),
  errorName: `HTTP ${status}${headers['x-should-retry'] === 'false' ? ' final' : ''}`,
})

/** Undefined for another failure. What was tried again is tried again at once. */
export function fromStoredStatus({
  error,
  errorName = '',
}: Extract<StoredResult, { error: string }>): HttpAnswer | undefined {
  const [, status, final] = /^HTTP (\d{3})( final)?$/.exec(errorName) ?? []
  if (status === undefined) return undefined
  return {
    status: Number(status),
    statusText: statusPhrase(Number(status)),
    headers: {
      'content-type': /^\s*[[{]/.test(error) ? 'application/json' : 'text/plain',
      'retry-after-ms': '1',
      ...(final && { 'x-should-retry': 'false' }),
    },
    bytes: new Uint8Array(Buffer.from(error)),
  }
}
