import { once } from 'node:events'
import http from 'node:http'
import { Writable } from 'node:stream'
import axios from 'axios'
import * as undici from 'undici'
import { expect, test } from 'vitest'
import { outcomeOf, recordAndReplay } from '../session/record-and-replay.ts'
import { chatRequest, postChat } from '../session/sdk-clients.ts'
import { chatError, chatReply, chatStream } from '../support/fake-provider/chat.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'

const answer = chatReply({ content: 'Hello' })
const stream = chatStream({ content: 'one two three four' }, { pieces: 4, pauseMs: 5 })
const at = (url: string) => `${url}/v1/chat/completions`
const body = JSON.stringify(chatRequest())
const streamed = { ...chatRequest(), stream: true }

const contentOf = (text: string): unknown => JSON.parse(text).choices[0].message.content
const deltasOf = (text: string): (string | undefined)[] =>
  [...text.matchAll(/"content":"([^"]*)"/g)].map(([, delta]) => delta)

const read = async (chunks: AsyncIterable<unknown>): Promise<string> => {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

/** One request of node:http; the body goes out in pieces. */
const overHttp = async (url: string, text: string, options: http.RequestOptions = {}, pieces = 1) => {
  const request = http.request(at(url), { method: 'POST', ...options })
  const size = Math.ceil(text.length / pieces)
  for (let from = 0; from < text.length; from += size) request.write(text.slice(from, from + size))
  request.end()
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  return { status: response.statusCode, text: await read(response) }
}

/** Ways to say the same, and what may come back; http-clients.ts has the clients as such. */
const cases: Record<string, [(url: string) => Promise<unknown>, expected: unknown, replies?: Scripted[]]> = {
  'fetch with a Request': [
    async (url) => {
      const response = await fetch(new Request(at(url), { method: 'POST', body }))
      return [response.status, response.url === at(url), contentOf(await response.text())]
    },
    [200, true, 'Hello'],
  ],
  'fetch with a Request and options over it': [
    async (url) => {
      const request = new Request(at(url), { method: 'POST', body: '{}' })
      return contentOf(await (await fetch(request, { body, headers: { 'x-more': '1' } })).text())
    },
    'Hello',
  ],
  'fetch with a URL object and method in lower case': [
    async (url) => contentOf(await (await fetch(new URL(at(url)), { method: 'post', body })).text()),
    'Hello',
  ],
  'fetch with bytes': [
    async (url) => contentOf(await (await postChat(url, {}, { body: new TextEncoder().encode(body) })).text()),
    'Hello',
  ],
  'fetch with a stream': [
    async (url) =>
      contentOf(await (await postChat(url, {}, { body: new Blob([body]).stream(), duplex: 'half' } as never)).text()),
    'Hello',
  ],
  'undici.stream': [
    async (url) => {
      const chunks: Buffer[] = []
      const sink = new Writable({
        write(chunk, _, done) {
          chunks.push(chunk)
          done()
        },
      })
      await undici.stream(at(url), { method: 'POST', body }, () => sink)
      return contentOf(Buffer.concat(chunks).toString())
    },
    'Hello',
  ],
  'node:http with a body in pieces': [async (url) => contentOf((await overHttp(url, body, {}, 7)).text), 'Hello'],
  'node:http over a kept-alive agent': [
    async (url) => {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
      const said: unknown[] = []
      for (const question of ['1', '2', '3']) {
        said.push(contentOf((await overHttp(url, JSON.stringify(chatRequest(question)), { agent })).text))
      }
      agent.destroy()
      return said
    },
    ['Hello', 'Hello', 'Hello'],
    [answer, answer, answer],
  ],
  'axios with a stream that is cut': [
    async (url) => {
      const { data } = await axios.post(at(url), streamed, { responseType: 'stream' })
      const texts: string[] = []
      const end = await outcomeOf(
        (async () => {
          for await (const chunk of data) texts.push(String(chunk))
        })(),
      )
      return [deltasOf(texts.join('')), (end as { error: { code: string } }).error.code]
    },
    [['', 'one t', 'wo th'], 'ECONNRESET'],
    [{ ...stream, cutAfter: 3 }],
  ],
  'axios and a rate limit': [
    async (url) =>
      axios.post(at(url), chatRequest()).catch(({ response }) => [response.status, response.data.error.code]),
    [429, 'rate_limit_exceeded'],
    [chatError(429, { message: 'Slow down', code: 'rate_limit_exceeded' })],
  ],
  'axios and a reset connection': [
    async (url) => axios.post(at(url), chatRequest()).catch(({ code, message }) => [code, message]),
    ['ECONNRESET', 'socket hang up'],
    [{ cutAfter: 0 }],
  ],
  'axios and its time-out': [
    async (url) => axios.post(at(url), chatRequest(), { timeout: 60 }).catch(({ code }) => code),
    'ECONNABORTED',
    [{ silentAfter: 0 }],
  ],
  'node:http, hung up after two texts': [
    async (url) => {
      const request = http.request(at(url), { method: 'POST' })
      request.on('error', () => {})
      request.end(JSON.stringify(streamed))
      const [response] = (await once(request, 'response')) as [http.IncomingMessage]
      let text = ''
      for await (const chunk of response) {
        text += chunk
        if (deltasOf(text).length === 3) break
      }
      request.destroy()
      return deltasOf(text)
    },
    ['', 'one t', 'wo th'],
    [stream],
  ],
}

test.each(Object.entries(cases))('%s is recorded and replayed', async (_, [send, expected, replies = [answer]]) => {
  const { recorded, replayed, replayMs, requests } = await recordAndReplay(replies, send)
  expect(recorded.value).toEqual(expected)
  expect(requests).toBe(replies.length)
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(replayed.value).toEqual(expected)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(replayMs).toBeLessThan(1000)
})
