import { readFile } from 'node:fs/promises'
import type { Cassette, CassetteOptions } from '@retake/session'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { ReceivedRequest, Scripted } from '../support/fake-provider/reply.ts'
import { aliasHost } from '../support/host-alias.ts'
import { inTest, type TestRun, temporaryCassette } from './in-test.ts'

export const host = 'shop.example.test'

export interface HttpRuns<T> {
  recorded: TestRun<T>
  replayed: TestRun<T>
  /** The cassette; empty if none was written. */
  text: string
  /** What the server got. */
  requests: readonly ReceivedRequest[]
}

/** Records against a server under a name that is not loopback, takes server and name away, and replays. */
export async function throughHttp<T>(
  other: Scripted,
  agent: (url: string, cassette: Cassette) => Promise<T>,
  options: CassetteOptions = {},
): Promise<HttpRuns<T>> {
  await using file = await temporaryCassette()
  const server = await startFakeProvider({ other })
  const url = `http://${host}:${server.port}`
  const record = async () => {
    using _ = aliasHost(host)
    return await inTest(file.path, options, (cassette) => agent(url, cassette))
  }
  const recorded = await record()
  await server.stop()
  const text = await readFile(file.path, 'utf8').catch(() => '')
  const replayed = await inTest(file.path, options, (cassette) => agent(url, cassette))
  return { recorded, replayed, text, requests: server.requests }
}
