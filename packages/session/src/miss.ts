import type { WireAnswer } from '@retake/providers'
import type { RetakeError } from '@retake/trace'
import type { ModelRequest } from './seam/shared.ts'

/**
 * What the agent's SDK gets for a request that retake refuses: the provider's own error shape with status 400 and
 * `x-should-retry: false`, which every SDK gives up on at once. A thrown error would be taken for a connection failure
 * and tried again.
 */
export function refusalAnswer(request: ModelRequest | undefined, error: RetakeError): WireAnswer {
  const message = `[retake] ${error.message.split('\n', 1)[0]} (${error.code})`
  const refusal = { status: 400, kind: 'invalid_request', message, code: 'retake', noRetry: true }
  const answer = request
    ? request.wire.writeError(refusal, { request: toWireRequest(request), replyId: 'retake', timestamp: 0 })
    : {
        status: 400,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: 'retake' } }),
      }
  return { ...answer, headers: { ...answer.headers, 'x-should-retry': 'false' } }
}

export const toWireRequest = ({ url, headers, body }: ModelRequest) => ({
  url,
  headers: Object.fromEntries(headers),
  body,
})
