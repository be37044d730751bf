import { jsonHeaders } from '../sse.ts'
import type { WireAnswer, WireRequest } from '../wire.ts'
import { isContinued } from './read-request.ts'

/**
 * A request that goes on with a message thread holds the new messages only; the rest lies with Anthropic. To the answer
 * that the thread is not there the SDK sends the whole history under a new one (its tool runner uses threads unasked).
 */
export const requestHistory = ({ body }: WireRequest): WireAnswer | undefined => {
  if (!isContinued(body.thread)) return undefined
  const message = 'retake records the whole history with each request: send it again under a new thread'
  const error = { type: 'not_found_error', message, details: { error_code: 'thread_not_found' } }
  return {
    status: 404,
    headers: { ...jsonHeaders, 'x-should-retry': 'false' },
    body: JSON.stringify({ type: 'error', error, request_id: null }),
  }
}
