import { type Endpoint, isTelemetry } from '@retake/providers'
import { UnsupportedError } from '@retake/trace'
import { type HttpRequest, readHttpRequest } from '../http/http-request.ts'
import { refusalAnswer, toWireRequest } from '../miss.ts'
import {
  certainOwner,
  concernsHttp,
  endedSessionHere,
  lateRequest,
  type Owner,
  ownerOf,
  sessionHere,
  withoutQuery,
} from './attribution.ts'
import { type Recognised, recognise } from './model-request.ts'
import { toResponse } from './respond.ts'
import { type Fetch, type SeamSession, shared } from './shared.ts'

/** Reads a request that is for no model; not before it is known that somebody wants it. */
type ReadHttp = (url: URL, endpoint?: Endpoint) => Promise<HttpRequest>

/** One request on its way through layer 1, or through the `fetch` of one session (`only`). */
export async function interceptFetch(
  input: string | URL | Request,
  init: RequestInit | undefined,
  below: Fetch,
  only?: SeamSession,
): Promise<Response> {
  // A copy, since reading a streamed body replaces it.
  const own = init && { ...init }
  const recognised = await recognise(input, own, only)
  const pass = () => shared.way.run('seen', () => below.call(globalThis, input, own))
  // Nothing would be sent.
  if (recognised.kind === 'model' && recognised.request.signal?.aborted) return pass()
  const read: ReadHttp = (url, endpoint) => readHttpRequest(input, own, url, below, endpoint)
  return (await decide(recognised, read, only)) ?? pass()
}

/** Layers 1 and 2 end here. Undefined for a request that retake leaves alone. */
export async function decide(
  recognised: Recognised,
  read: ReadHttp,
  only?: SeamSession,
): Promise<Response | undefined> {
  if (recognised.kind === 'plain') return recognised.url && decideHttp(recognised.url, read, only)
  // No telemetry has the path and the shape of a model request.
  if (recognised.kind !== 'model' && isTelemetry(recognised.url)) return undefined
  const here = only ?? sessionHere()
  if (here?.allows(recognised.url)) return undefined
  if (recognised.kind === 'endpoint') return decideEndpoint(recognised, read, only)
  if (recognised.kind === 'known') return here ? knownRoute(recognised, here) : ownerlessRoute(recognised)
  const { request } = recognised
  const owner = only ? ownerOfFetch(only, request.url) : ownerOf(request.url)
  if (!owner) return undefined
  if ('session' in owner) {
    const history = request.wire.requestHistory?.(toWireRequest(request))
    return history ? toResponse(history, request.url, request.signal) : owner.session.answer(request)
  }
  return toResponse(refusalAnswer(request, owner.refusal), request.url, request.signal)
}

/** Embeddings and their like are recorded wherever a model is: they cost, and need a key. */
async function decideEndpoint(
  { endpoint, url }: Extract<Recognised, { kind: 'endpoint' }>,
  read: ReadHttp,
  only: SeamSession | undefined,
): Promise<Response | undefined> {
  const owner = only ? ownerOfFetch(only, url.href) : ownerOf(url.href)
  if (!owner) return undefined
  if ('refusal' in owner) return toResponse(refusalAnswer(undefined, owner.refusal), url.href, undefined)
  const request = await read(url, endpoint)
  return request.signal?.aborted ? undefined : owner.session.answerHttp(request)
}

async function decideHttp(url: URL, read: ReadHttp, only: SeamSession | undefined): Promise<Response | undefined> {
  if (only ? only.http(url) === 'leave' : !concernsHttp(url)) return undefined
  const request = await read(url)
  if (request.signal?.aborted) return undefined
  const session = only && shared.active.has(only) ? only : certainOwner()
  if (session?.http(url) === 'record') return session.answerHttp(request)
  return (await request.fromMock()) ?? refuseHttp(url, session, only)
}

function refuseHttp(url: URL, session: SeamSession | undefined, only: SeamSession | undefined): Response | undefined {
  if (session) {
    const error = blocked(url)
    session.fail(error)
    return toResponse(refusalAnswer(undefined, error), url.href, undefined)
  }
  const owner = only ? ownerOfFetch(only, url.href) : ownerOf(url.href, 'an HTTP request')
  return owner && 'refusal' in owner
    ? toResponse(refusalAnswer(undefined, owner.refusal), url.href, undefined)
    : undefined
}

function blocked(url: URL): UnsupportedError {
  const where = withoutQuery(url.href)
  return new UnsupportedError(
    `an HTTP request was refused, since \`http\` is 'block': ${where}\n` +
      `  Wrap the tool that makes it with \`cassette.tools()\`, or let it pass with \`allow: ['${url.host}']\`.`,
    { name: 'http: block', url: where },
  )
}

/** The `fetch` of a cassette belongs to it whatever the context, until it ends. */
const ownerOfFetch = (session: SeamSession, url: string): Owner =>
  shared.active.has(session) ? { session } : { refusal: lateRequest(session.label, url) }

/** The same outside every running test: what may not be sent inside one may not be sent after it either. */
function ownerlessRoute({ route, url }: Extract<Recognised, { kind: 'known' }>): Response | undefined {
  const ended = endedSessionHere()
  const isForbidden = ended ? ended.replaying : route.kind === 'model' && shared.active.size === 0
  const owner = isForbidden ? ownerOf(url.href) : undefined
  if (!owner || !('refusal' in owner)) return undefined
  return toResponse(refusalAnswer(undefined, owner.refusal), url.href, undefined)
}

/** An endpoint of a provider that retake knows by name only: refused in replay, passed on while recording. */
function knownRoute(
  { route, url }: Extract<Recognised, { kind: 'known' }>,
  session: SeamSession,
): Response | undefined {
  const where = withoutQuery(url.href)
  const remedy = `Leave it alone with \`allow: ['${url.host}']\`, or a longer URL.`
  if (!session.replaying) {
    session.notice(`${route.name} is not recorded yet; the request was passed on to ${where}. ${remedy}`)
    return undefined
  }
  const error = new UnsupportedError(
    `${route.name} cannot be replayed yet, and nothing may be sent while replaying: ${where}\n  ${remedy}`,
    { name: route.name, url: where },
  )
  session.fail(error)
  return toResponse(refusalAnswer(undefined, error), url.href, undefined)
}
