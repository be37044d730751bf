import { findWire } from '@retake/providers'
import { sessionHere } from './attribution.ts'

/** A page (jsdom, happy-dom) asks another origin whether it may send a request. */
export const isPreflight = ({ method, headers }: Request): boolean =>
  method === 'OPTIONS' && headers.has('access-control-request-method')

/**
 * While recording, the server is asked. In a replay it is not there, and the recording shows what it would have said.
 */
export function isReplayedPreflight(request: Request): boolean {
  const session = sessionHere()
  if (!isPreflight(request) || !session?.replaying) return false
  const url = new URL(request.url)
  return !session.allows(url) && (findWire(url) !== undefined || session.http(url) !== 'leave')
}

/** The page may send what it wants to. */
export const preflightAnswer = ({ headers }: Request): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...originHeaders(headers),
      'access-control-allow-methods': headers.get('access-control-request-method') ?? 'POST',
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? '*',
    },
  })

/** Lets the page that sent `request` read an answer with these headers. */
export function allowOrigin(headers: Headers, request: Request): void {
  if (headers.has('access-control-allow-origin')) return
  for (const [name, value] of Object.entries(originHeaders(request.headers))) headers.set(name, value)
}

function originHeaders(headers: Headers): Record<string, string> {
  const origin = headers.get('origin')
  if (origin === null) return {}
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }
}
