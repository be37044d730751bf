import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import nodeFetch from 'node-fetch'
import nodeFetch2 from 'node-fetch2'
import * as undici from 'undici'
import * as undici7 from 'undici7'
import { certificate } from '../support/certificate.ts'
import { headers, overChat, type Send, type TestClient } from './test-client.ts'

type AnyFetch = (
  url: string,
  init: { method: string; headers: typeof headers; body: string },
) => Promise<{
  text(): Promise<string>
}>

export const sendBy =
  (fetch: AnyFetch, init: object = {}): Send =>
  async (url, body) =>
    (await fetch(url, { method: 'POST', headers, body, ...init })).text()

/** `request` of node:http or node:https. */
export const requestBy =
  ({ request }: typeof http | typeof https, options: http.RequestOptions = {}): Send =>
  (url, body) =>
    new Promise((resolve, reject) => {
      request(url, { method: 'POST', headers, ...options }, (response) => text(response).then(resolve, reject))
        .on('error', reject)
        .end(body)
    })

export const undiciRequestBy =
  ({ request }: Pick<typeof undici, 'request'>, options: { dispatcher?: undici.Dispatcher } = {}): Send =>
  async (url, body) =>
    (await request(url, { method: 'POST', headers, body, ...options })).body.text()

export const sendByAxios = (config: object): Send => {
  const client = axios.create({ headers, responseType: 'text', transformResponse: (data) => data, ...config })
  return async (url, body) => (await client.post(url, body)).data
}

export const sendByGot = (options: object): Send => {
  const client = got.extend({ headers, ...options })
  return (url, body) => client.post(url, { body }).text()
}

/** Clients that know HTTP only. */
export const httpClients: TestClient[] = [
  overChat('fetch', () => sendBy(globalThis.fetch)),
  overChat('fetch with a dispatcher', () => sendBy(globalThis.fetch, { dispatcher: new undici7.Agent() })),
  overChat('undici.fetch', () => sendBy(undici.fetch)),
  overChat('undici.request', () => undiciRequestBy(undici)),
  { ...overChat('http.request', () => requestBy(http)), host: 'http://api.openai.com' },
  { ...overChat('https.request', () => requestBy(https)), tls: certificate },
  { ...overChat('fetch over TLS', () => sendBy(globalThis.fetch)), tls: certificate },
  overChat('axios', () => sendByAxios({})),
  overChat('axios over fetch', () => sendByAxios({ adapter: 'fetch' })),
  overChat('got', () => sendByGot({})),
  overChat('node-fetch', () => sendBy(nodeFetch)),
  overChat('node-fetch 2', () => sendBy(nodeFetch2)),
]
