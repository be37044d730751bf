import type { Endpoint, HttpAsked } from '@retake/providers'
import { copyHeaders } from '../seam/copy-headers.ts'
import { fetchApart } from '../seam/own-call.ts'
import { type Fetch, shared, type Trial } from '../seam/shared.ts'
import { reconnectIdleSockets } from '../seam/undici-sockets.ts'
import { mocksMayAnswer } from './mocks.ts'

/** A request that is for no conversation with a model, from either layer. */
export interface HttpRequest extends HttpAsked {
  readonly signal: AbortSignal | undefined
  /** Makes the request as the caller would have. `mocked`: a mock of the user answered, or failed it. */
  send(): Promise<Sent>
  /** What a mock of the user says to it; undefined if nothing short of a real connection would answer. */
  fromMock(): Promise<Response | undefined>
}

/** How sending ended. */
export type Sent = { mocked: boolean } & ({ response: Response } | { error: unknown })

/** Clients of node:http can send a body with any method. */
const hidesBody = (method: string, given: Request | undefined): boolean =>
  /^(GET|HEAD)$/.test(method) &&
  (Number(given?.headers.get('content-length')) > 0 || Boolean(given?.headers.has('transfer-encoding')))

/** Reads a request of `fetch`; `below` is the function under retake. */
export async function readHttpRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  url: URL,
  below: Fetch,
  endpoint?: Endpoint,
): Promise<HttpRequest> {
  const given = typeof input === 'object' && 'headers' in input ? input : undefined
  const method = (init?.method ?? given?.method ?? 'GET').toUpperCase()
  const headers = copyHeaders(init?.headers ?? given?.headers)
  const body = init?.body === undefined || init.body === null ? undefined : new Response(init.body)
  const bytes = new Uint8Array((await (body ?? given?.clone())?.arrayBuffer()) ?? [])
  // Of a form the boundary stands there.
  const type = body?.headers.get('content-type')
  if (type && !headers.has('content-type')) headers.set('content-type', type)
  const signal = init?.signal ?? given?.signal ?? undefined
  const redirect = init?.redirect ?? given?.redirect
  const complete: RequestInit = {
    ...init,
    method,
    headers,
    body: bytes.length > 0 ? bytes : null,
    ...(redirect && { redirect }),
    ...(signal && { signal }),
  }
  const call = (trial: Trial) => shared.way.run(trial, () => below.call(globalThis, url.href, complete))
  const canBeMocked = () => !endpoint && mocksMayAnswer(below, init)

  async function send(): Promise<Sent> {
    const trial: Trial = { live: false, open: true }
    const isMocked = () => !trial.live && canBeMocked()
    try {
      const response = await (endpoint ? fetchApart(url.href, complete) : call(trial))
      return { response, mocked: isMocked() }
    } catch (error) {
      return { error, mocked: isMocked() }
    }
  }

  async function fromMock(): Promise<Response | undefined> {
    if (!canBeMocked()) return undefined
    // What it opens is seen, a socket that is open already would not be.
    reconnectIdleSockets(shared.undiciSockets)
    const trial: Trial = { live: false, open: false }
    try {
      const response = await call(trial)
      return trial.live ? undefined : response
    } catch (error) {
      if (trial.live) return undefined
      throw error
    }
  }

  return { url, endpoint, method, headers, bytes, hidesBody: hidesBody(method, given), signal, send, fromMock }
}
