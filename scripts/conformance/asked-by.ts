import type { TrafficExchange } from '../../test/support/fake-provider/traffic.ts'

const messages = [{ role: 'user', content: 'Hi' }]
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }]

/** A least request to each endpoint, for traffic of which only the answers are known. */
const requests: Readonly<Record<string, (streams: boolean) => { path: string; body: object }>> = {
  'chat.completions': (stream) => ({ path: '/v1/chat/completions', body: { model: 'm', messages, stream } }),
  responses: (stream) => ({ path: '/v1/responses', body: { model: 'm', input: 'Hi', stream } }),
  messages: (stream) => ({ path: '/v1/messages', body: { model: 'm', max_tokens: 9, messages, stream } }),
  generateContent: () => ({ path: '/v1beta/models/m:generateContent', body: { contents } }),
  streamGenerateContent: () => ({ path: '/v1beta/models/m:streamGenerateContent?alt=sse', body: { contents } }),
  'ollama.chat': (stream) => ({ path: '/api/chat', body: { model: 'm', messages, stream } }),
}

/** The endpoint that a body tells; fixtures may be labelled by the folder they lie in. */
const endpointOf = ({ endpoint, response }: TrafficExchange): string => {
  const text = typeof response.body === 'string' ? response.body : JSON.stringify(response.body)
  return /"object": ?"chat\.completion/.test(text) ? 'chat.completions' : endpoint
}

/** Fixtures may hold the streams of several answers in a row. */
const eachStream = ({ response }: TrafficExchange): TrafficExchange['response'][] => {
  if (typeof response.body !== 'string') return [response]
  const bodies = response.body.split(/^(?=(?:event: response\.created\n)?data: \{"type":"response\.created")/m)
  return bodies.filter((body) => body.trim() !== '').map((body) => ({ ...response, body }))
}

/** The exchanges with requests; one that has its own, or whose endpoint nobody here asks, comes back as it is. */
export const withAsked = (exchange: TrafficExchange): TrafficExchange[] => {
  const endpoint = endpointOf(exchange)
  const asked = exchange.request === null ? requests[endpoint]?.(exchange.streaming) : undefined
  if (!asked) return [exchange]
  const { path, body } = asked
  const request = {
    method: 'POST',
    url: `https://example.com${path}`,
    headers: {},
    body,
    body_encoding: 'json' as const,
  }
  return eachStream(exchange).map((response, turn) => ({ ...exchange, endpoint, turn, request, response }))
}
