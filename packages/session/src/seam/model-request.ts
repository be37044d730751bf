import {
  describeRoute,
  type Endpoint,
  findEndpoint,
  findWire,
  type RouteDescription,
  type Wire,
} from '@retake/providers'
import { isJsonObject, type JsonValue, parseJson } from '@retake/trace'
import { copyHeaders } from './copy-headers.ts'
import { type ModelRequest, type SeamSession, shared } from './shared.ts'

/**
 * What a request turned out to be: for a model; for another `endpoint` of a provider, or one that is `known` by name only;
 * or `plain` HTTP.
 */
export type Recognised =
  | { kind: 'model'; request: ModelRequest; url: URL }
  | { kind: 'endpoint'; endpoint: Endpoint; url: URL }
  | { kind: 'known'; route: RouteDescription; url: URL }
  | { kind: 'plain'; url?: URL }

const urlOf = (input: string | URL | Request): string =>
  // A URL may be of another realm.
  typeof input === 'object' && 'url' in input ? input.url : String(input)

const methodOf = (input: string | URL | Request, init: RequestInit | undefined): string =>
  (init?.method ?? (isRequest(input) ? input.method : 'GET')).toUpperCase()

const isRequest = (input: string | URL | Request): input is Request => typeof input === 'object' && 'headers' in input

/** Reads a request of `fetch` if its path is that of a model; leaves it unread and reusable otherwise. */
export async function recognise(
  input: string | URL | Request,
  init: RequestInit | undefined,
  only?: SeamSession,
): Promise<Recognised> {
  const url = toUrl(urlOf(input))
  if (!url) return { kind: 'plain' }
  const method = methodOf(input, init)
  const own = ownWire(url, only)
  if (method !== 'POST' || !(own ?? findWire(url))) {
    const route = describeRoute(method, url)
    if (!route) return { kind: 'plain', url }
    const endpoint = method === 'POST' ? findEndpoint(route.name) : undefined
    return endpoint ? { kind: 'endpoint', endpoint, url } : { kind: 'known', route, url }
  }
  const text = await bodyText(input, init)
  const body = parseJson(text)
  const wire = body === undefined ? undefined : own ? matching(own, body, url) : findWire(url, body)
  if (!wire || !isJsonObject(body)) return { kind: 'plain', url }
  const signal = init?.signal ?? (isRequest(input) ? input.signal : undefined) ?? undefined
  const headers = copyHeaders(init?.headers ?? (isRequest(input) ? input.headers : undefined))
  return { kind: 'model', url, request: { url: url.href, method, headers, text, body, wire, signal, init } }
}

/** What a user says of a URL holds for every cassette that is active: whose request it is shows later. */
export const ownWire = (url: URL, only?: SeamSession): Wire | undefined => {
  for (const session of only ? [only] : shared.active) {
    const wire = session.wireOf(url)
    if (wire) return wire
  }
  return undefined
}

const matching = (wire: Wire, body: JsonValue, url: URL): Wire | undefined =>
  wire.matchesBody(body, url) ? wire : undefined

function toUrl(text: string): URL | undefined {
  // Relative ones resolve against a page in jsdom and happy-dom; no model lives there.
  return URL.canParse(text) ? new URL(text) : undefined
}

async function bodyText(input: string | URL | Request, init: RequestInit | undefined): Promise<string> {
  const body = init?.body
  if (typeof body === 'string') return body
  if (body === undefined || body === null) return isRequest(input) ? await input.clone().text() : ''
  if (init && body instanceof ReadableStream) {
    // A stream is read once: keep one branch for whoever sends it on.
    const [ours, theirs] = body.tee()
    init.body = theirs
    return await new Response(ours).text()
  }
  return await new Response(body as BodyInit).text()
}
