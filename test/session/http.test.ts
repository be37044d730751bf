import { once } from 'node:events'
import http from 'node:http'
import axios from 'axios'
import * as undici from 'undici'
import { expect, test } from 'vitest'
import type { FakeReply } from '../support/fake-provider/reply.ts'
import { hideHost } from '../support/host-alias.ts'
import { outcomeOf } from './record-and-replay.ts'
import { throughHttp } from './through-http.ts'

interface Seen {
  status: number | undefined
  phrase: string | undefined
  type: string | null | undefined
  bytes: string
}

/** What each client sees of a response, byte for byte. */
const clients: Record<string, (url: string, method?: string) => Promise<Seen>> = {
  async fetch(url, method = 'GET') {
    const response = await fetch(url, { method })
    const bytes = Buffer.from(await response.arrayBuffer()).toString('base64')
    return { status: response.status, phrase: response.statusText, type: response.headers.get('content-type'), bytes }
  },
  async 'node:http'(url, method = 'GET') {
    const [response] = (await once(http.request(url, { method }).end(), 'response')) as [http.IncomingMessage]
    const bytes = Buffer.concat(await response.toArray()).toString('base64')
    const { statusCode: status, statusMessage: phrase, headers } = response
    return { status, phrase, type: headers['content-type'], bytes }
  },
  async 'undici.request'(url, method = 'GET') {
    const response = await undici.request(url, { method: method as 'GET' })
    const bytes = Buffer.from(await response.body.arrayBuffer()).toString('base64')
    return { status: response.statusCode, phrase: '', type: String(response.headers['content-type']), bytes }
  },
}

const answers: Record<string, FakeReply & { method?: string }> = {
  'compact JSON': { body: '{"id":"A-77","late":true,"__proto__":1}' },
  'JSON laid out': { body: '{\n  "id": "A-77",\n  "price": 1.0\n}\n' },
  'a JSON string': { body: '"A-77"' },
  'a JSON null': { body: 'null' },
  'numbers JSON cannot hold': { body: '{"id":12345678901234567890,"id":1}' },
  'deep JSON': { body: `${'['.repeat(250)}${']'.repeat(250)}` },
  text: { body: 'late\r\n20 €\u2028\u0000', headers: { 'content-type': 'text/plain; charset=utf-8' } },
  'text behind a byte order mark': { body: '\uFEFFlate', headers: { 'content-type': 'text/csv' } },
  Latin: { body: Buffer.from('20 \xA3', 'latin1'), headers: { 'content-type': 'text/plain; charset=iso-8859-1' } },
  bytes: { body: Buffer.from([137, 80, 78, 71, 0, 255, 254]), headers: { 'content-type': 'image/png' } },
  'an empty body': { body: '', headers: { 'content-type': 'text/plain' } },
  'no content': { status: 204 },
  'a 404': { status: 404, body: '{"error":"no such order"}' },
  'a 500 with text': { status: 500, body: 'oops', headers: { 'content-type': 'text/plain' } },
  'a redirect without a place': { status: 304 },
  HEAD: { method: 'HEAD', body: '{"id":"A-77"}' },
  DELETE: { method: 'DELETE', body: '{}' },
  events: { chunks: ['event: a\ndata: 1\n\n', 'data: 2\n', '\ndata: 3\n\n'] },
}

for (const [client, send] of Object.entries(clients)) {
  test.each(Object.entries(answers))(
    `%s comes back over ${client} as it was recorded`,
    async (_, { method, ...answer }) => {
      const { recorded, replayed, requests } = await throughHttp(answer, (url) =>
        send(`${url}/orders/A-77?full=1`, method),
      )
      expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
      expect(requests).toHaveLength(1)
      expect(recorded.value).toMatchObject({ status: answer.status ?? 200 })
      expect(replayed.value).toEqual(recorded.value)
      expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
    },
  )
}

const order = { body: '{"id":"A-77"}', headers: { 'x-request-id': 'r-1', 'set-cookie': 'a=b' } }

test('the steps of a request have an origin and a name, and no header but the content type', async () => {
  const { text, recorded } = await throughHttp(order, async (url) => {
    await fetch(`${url}/orders/A-77?full=1#top`, { headers: { authorization: 'Bearer t0ken-of-this-test' } })
  })
  const [call, result] = recorded.cassette.trace.steps.map(({ payload }) => payload)
  const { url } = (call as { toolInput: { url: string } }).toolInput
  expect(url).toMatch(/^http:\/\/shop\.example\.test:\d+\/orders\/A-77\?full=1$/)
  const toolName = `http GET ${new URL(url).host}/orders/A-77`
  expect(call).toEqual({ toolCallId: 'call-0', toolName, toolInput: { method: 'GET', url }, origin: 'http' })
  const stored = { status: 200, contentType: 'application/json', body: { id: 'A-77' } }
  expect(result).toEqual({ toolCallId: 'call-0', toolName, result: stored })
  expect(text).not.toMatch(/r-1|a=b|authorization|t0ken/)
})

const bodies: Record<string, [() => RequestInit['body'], type: string]> = {
  JSON: [() => JSON.stringify({ card: 1 }), 'application/json'],
  text: [() => 'card 1', 'text/plain'],
  'a form': [() => new URLSearchParams({ card: '1' }), ''],
  bytes: [() => new Uint8Array([1, 255]), 'application/octet-stream'],
  'a stream': [() => new Blob(['card 1']).stream(), 'text/plain'],
  'a multipart form': [
    () => {
      const form = new FormData()
      form.append('card', '1')
      form.append('scan', new Blob([new Uint8Array([1, 255])], { type: 'image/png' }), 'scan.png')
      return form
    },
    '',
  ],
}

test.each(Object.entries(bodies))('%s is sent as it is, and found again', async (_, [body, type]) => {
  const { recorded, replayed, requests } = await throughHttp(order, async (url) => {
    const headers: Record<string, string> = type ? { 'content-type': type } : {}
    const init = { method: 'POST', headers, body: body(), duplex: 'half' } as RequestInit
    return (await fetch(`${url}/orders`, init)).json()
  })
  const sent = new Request('http://localhost', { method: 'POST', body: body() ?? null, duplex: 'half' } as RequestInit)
  if (!(body() instanceof FormData)) expect(requests[0]?.text).toBe(await sent.text())
  else expect(requests[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('redirects lead where they led, in one go over fetch and step by step over node:http', async () => {
  const other = ({ url }: { url: string }) =>
    url === '/new'
      ? { body: 'here', headers: { 'content-type': 'text/plain' } }
      : { status: 302, headers: { location: '/new' } }
  const { recorded, replayed, requests } = await throughHttp(other, async (url) => {
    const followed = await fetch(`${url}/old`)
    const manual = await fetch(`${url}/old`, { redirect: 'manual' })
    return [
      [followed.url === `${url}/new`, followed.redirected, await followed.text()],
      [manual.status, manual.headers.get('location')],
      (await axios.get(`${url}/old`)).data,
      await outcomeOf(fetch(`${url}/old`, { redirect: 'error' })),
    ]
  })
  expect(recorded.value.slice(0, 3)).toEqual([[true, true, 'here'], [302, '/new'], 'here'])
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result.errors).toEqual([])
  expect(requests).toHaveLength(6)
})

const firstEvents = async (url: string, count: number): Promise<string> => {
  const response = await fetch(`${url}/events`)
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk)
    if (text.split('\n\n').length > count) break
  }
  return text.split('\n\n').slice(0, count).join('|')
}

test('a client can leave a stream that does not end, and one that is cut stays cut', async () => {
  const chunks = ['data: 1\n\n', 'data: 2\n\n', 'data: 3\n\n']
  const open = await throughHttp({ chunks, pauseMs: 20, silentAfter: 3 }, (url) => firstEvents(url, 2))
  expect([open.recorded.value, open.replayed.value]).toEqual(['data: 1|data: 2', 'data: 1|data: 2'])
  expect(open.replayed.result).toMatchObject({ kind: 'replayed', errors: [] })

  const cut = await throughHttp({ chunks, pauseMs: 5, cutAfter: 2 }, async (url) => {
    const response = await fetch(url)
    return outcomeOf(response.text())
  })
  expect(cut.recorded.value).toMatchObject({ error: { message: 'terminated' } })
  expect(cut.replayed.value).toEqual(cut.recorded.value)
})

test('a stream reaches the client while it is recorded', async () => {
  const { recorded } = await throughHttp({ chunks: ['data: 1\n\n', 'data: 2\n\n'], silentAfter: 1 }, (url) =>
    firstEvents(url, 1),
  )
  expect(recorded.value).toBe('data: 1')
})

test.each<[string, FakeReply, (url: string) => Promise<unknown>]>([
  ['a reset', { cutAfter: 0 }, (url) => fetch(url)],
  ['a reset over node:http', { cutAfter: 0 }, (url) => axios.get(url)],
  ['a time-out', { silentAfter: 0 }, (url) => fetch(url, { signal: AbortSignal.timeout(50) })],
  ['a time-out of axios', { silentAfter: 0 }, (url) => axios.get(url, { timeout: 50 })],
  ['a name that does not resolve', {}, () => fetch('http://nowhere.example.test/')],
])('%s fails the same way in the replay', async (_, answer, send) => {
  hideHost('nowhere.example.test')
  const agent = async (url: string) =>
    JSON.stringify(await outcomeOf(send(url)), ['error', 'class', 'name', 'message', 'code', 'cause'])
  const { recorded, replayed } = await throughHttp(answer, agent)
  expect(JSON.parse(recorded.value)).toHaveProperty('error')
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('equal requests get their answers in the recorded order, others in any', async () => {
  let count = 0
  const other = ({ url }: { url: string }) => ({ body: JSON.stringify(`${url} ${++count}`) })
  const get = async (url: string) => (await fetch(url)).json()
  const { recorded, replayed } = await throughHttp(other, async (url, cassette) => {
    const paths = cassette.state === 'recording' ? ['/a', '/b', '/a'] : ['/b', '/a', '/a']
    const said: string[] = []
    for (const path of paths) said.push(await get(url + path))
    return said.toSorted()
  })
  expect(recorded.value).toEqual(['/a 1', '/a 3', '/b 2'])
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result.errors).toEqual([])
})

test('a GET with a body is refused by name', async () => {
  const { recorded, text } = await throughHttp(order, async (url) => {
    const request = http.request(`${url}/search`, { method: 'GET', headers: { 'content-length': 2 } })
    const [response] = (await once(request.end('{}'), 'response')) as [http.IncomingMessage]
    return response.resume().statusCode
  })
  expect(recorded.value).toBe(400)
  expect(recorded.result).toMatchObject({
    kind: 'failed',
    errors: [{ code: 'RETAKE_UNSUPPORTED', details: { name: 'GET with a body' } }],
  })
  expect(text).toBe('')
})
