import http from 'node:http'
import nodeFetch from 'node-fetch'
import * as undici from 'undici'
import * as undici7 from 'undici7'
import { requestBy, sendBy, sendByAxios, sendByGot, undiciRequestBy } from './http-clients.ts'
import { overChat, type TestClient } from './test-client.ts'

const oneSocket = () => new http.Agent({ keepAlive: true, maxSockets: 1 })

/** More requests than connections, which `undici.request` can tell apart. */
export const undiciRequestFour = overChat('undici.request, four connections', () =>
  undiciRequestBy(undici, { dispatcher: new undici.Agent({ connections: 4 }) }),
)

/** Clients whose requests wait for each other: the next one is written when the last one frees its connection. */
export const pooledClients: TestClient[] = [
  overChat('fetch, one connection', () =>
    sendBy(globalThis.fetch, { dispatcher: new undici7.Agent({ connections: 1 }) }),
  ),
  overChat('undici.fetch, one connection', () =>
    sendBy(undici.fetch, { dispatcher: new undici.Agent({ connections: 1 }) }),
  ),
  overChat('undici.fetch, four connections', () =>
    sendBy(undici.fetch, { dispatcher: new undici.Agent({ connections: 4 }) }),
  ),
  overChat('undici.request, one connection', () =>
    undiciRequestBy(undici, { dispatcher: new undici.Agent({ connections: 1 }) }),
  ),
  undiciRequestFour,
  overChat('http.request, one connection', () => requestBy(http, { agent: oneSocket() })),
  overChat('axios, one connection', () => sendByAxios({ httpAgent: oneSocket() })),
  overChat('got, one connection', () => sendByGot({ agent: { http: oneSocket() } })),
  overChat('node-fetch, one connection', () => sendBy(nodeFetch, { agent: oneSocket() })),
]

/**
 * Known not to work: up to version 7, which Node 22 and 24 have built in, the requests of `fetch` that wait for a pool have
 * nothing that tells whose they are.
 */
export const throughFullPool = overChat('fetch of undici 7, four connections', () =>
  sendBy(undici7.fetch, { dispatcher: new undici7.Agent({ connections: 4 }) }),
)
