import type { WireRequest } from '@retake/providers'
import type { JsonObject } from '@retake/trace'
import type { TrafficExchange } from '../../../test/support/fake-provider/traffic.ts'

/** An exchange that no traffic of ours has, in the shape that its documentation gives. */
export interface Built {
  name: string
  /** Where the shape is documented: a page, or the type of an SDK. */
  source: string
  path: string
  headers?: Record<string, string>
  request: JsonObject
  /** A text is the body of a stream. */
  reply: object | string
  status?: number
  /** The content type, where it is neither JSON nor server-sent events. */
  type?: string
  /** The refusal, for what a replay cannot give back. */
  refused?: string
}

export const hosted = 'hosted/server tools and their blocks'
export const sources = 'citations, annotations, search results, grounding'
export const output = 'audio or image output'

/** Events with nothing but their data. */
export const dataEvents = (events: readonly unknown[], end = ''): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + end

/** Events that name their type on a line of its own. */
export const typedEvents = (events: readonly { type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

const urlOf = ({ path }: Built): string => `https://example.com${path}`

export const toRequest = (built: Built): WireRequest => ({
  url: urlOf(built),
  headers: built.headers ?? {},
  body: built.request,
})

export const toExchange = (built: Built): TrafficExchange => {
  const { name, path, headers = {}, request, reply, status = 200, type } = built
  const isStream = typeof reply === 'string'
  return {
    run: name,
    turn: 0,
    provider: 'built',
    endpoint: path,
    streaming: isStream,
    request: { method: 'POST', url: urlOf(built), headers, body: request, body_encoding: 'json' },
    response: {
      status,
      headers: { 'content-type': type ?? (isStream ? 'text/event-stream' : 'application/json') },
      body: reply,
      body_encoding: isStream ? 'text' : 'json',
    },
  }
}
