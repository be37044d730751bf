import { beforeAll, expect, test } from 'vitest'
import { inTest, temporaryCassette } from '../session/in-test.ts'
import { outcomeOf } from '../session/record-and-replay.ts'
import { trustCertificate } from '../support/certificate.ts'
import type { FakeProvider } from '../support/fake-provider/fake-provider.ts'
import { outsideConnections } from '../support/outside-connections.ts'
import { echoOf, modelRequests, startEchoProvider } from './echo-provider.ts'
import type { TestClient } from './test-client.ts'

type Client = ReturnType<TestClient['create']>

interface Prepared {
  provider: FakeProvider
  /** Made before retake starts, and not yet used. */
  before: Client
  /** Made before retake starts, with a connection that is still open. */
  used: Client
}

/** Every client records and replays, whenever it was made; the provider is gone when it replays. */
export function describeClients(clients: readonly TestClient[]): void {
  const prepared = new Map<TestClient, Prepared>()

  // The first cassette of this file starts retake.
  beforeAll(async () => {
    trustCertificate()
    for (const client of clients) prepared.set(client, await prepare(client))
  })

  test.each(clients.map((client) => [client.name, client] as const))('%s', async (_, client) => {
    const { create, host } = client
    const { provider, before, used } = prepared.get(client) as Prepared
    const made = {
      'made before': () => before,
      'used before': () => used,
      'made in the test': () => create(provider.url),
    }
    const files = await Promise.all(Object.keys(made).map(() => temporaryCassette()))
    const requests = modelRequests(provider)
    expect(await runAll(made, files)).toEqual(expectedOf(made, { kind: 'recorded', liveCalls: 2, replayedCalls: 0 }))
    expect(modelRequests(provider)).toBe(requests + 6)

    await provider.stop()
    const replayed = { kind: 'replayed', liveCalls: 0, replayedCalls: 2 }
    expect(await runAll(made, files)).toEqual(expectedOf(made, replayed))
    const outside = { 'at the real host': () => create(host) }
    expect(await runAll(outside, files)).toEqual(expectedOf(outside, replayed))
    expect(outsideConnections).toEqual([])
    await Promise.all(files.map((file) => file[Symbol.asyncDispose]()))
  })
}

type Cells = Record<string, () => Client>

/** What comes of each way to get a client, in a test of its own. */
async function runAll(cells: Cells, files: readonly { path: string }[]): Promise<Record<string, unknown>> {
  const table: Record<string, unknown> = {}
  for (const [n, [name, make]] of Object.entries(cells).entries()) {
    const { value, result } = await inTest(files[n]?.path as string, {}, () => askBoth(make()))
    const { kind, liveCalls, replayedCalls, errors } = result
    table[name] = { ...value, kind, liveCalls, replayedCalls, errors }
  }
  return table
}

const expectedOf = (cells: Cells, counts: object): Record<string, unknown> => {
  const cell = { json: { value: [echoOf('one')] }, stream: { value: pieces }, errors: [], ...counts }
  return Object.fromEntries(Object.keys(cells).map((name) => [name, cell]))
}

const pieces = ['You a', 'sked:', ' two']

async function askBoth({ json, stream }: Client) {
  return { json: await outcomeOf(json('one')), stream: await outcomeOf(stream('two')) }
}

async function prepare({ create, tls }: TestClient): Promise<Prepared> {
  const provider = await startEchoProvider({ tls })
  const [before, used] = [create(provider.url), create(provider.url)]
  await used.json('hello')
  return { provider, before, used }
}
