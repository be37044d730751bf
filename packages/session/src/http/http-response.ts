import type { HttpAnswer } from '@retake/providers'
import { streamOf, withUrl } from '../seam/respond.ts'
import type { HttpRequest } from './http-request.ts'

/** Statuses that `Response` takes no body with. */
const withoutBody = [101, 204, 205, 304]

/** What `fetch` gives for a recorded answer. `Response` is looked up late: happy-dom has its own. */
export function toHttpResponse(answer: HttpAnswer, { url, signal }: HttpRequest): Response {
  const { status, statusText, headers } = answer
  const body = withoutBody.includes(status) ? null : bodyOf(answer, signal)
  return withUrl(new Response(body, { status, statusText, headers }), answer.url ?? url.href, answer.url !== undefined)
}

function bodyOf({ headers, bytes, end }: HttpAnswer, signal: AbortSignal | undefined): BodyInit {
  if (end) return streamOf({ body: [bytes], end: end === 'cut' ? 'cut' : 'silent' }, signal)
  if (!headers['content-type']?.startsWith('text/event-stream')) return bytes
  // An event at a time, so that a client can stop after one.
  const events = Buffer.from(bytes)
    .toString()
    .split(/(?<=\n\n|\r\r|\r\n\r\n)/)
  return streamOf({ body: events }, signal)
}
