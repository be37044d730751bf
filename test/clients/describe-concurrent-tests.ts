import { beforeAll, expect, test } from 'vitest'
import { trustCertificate } from '../support/certificate.ts'
import { expectedTests, runConcurrently } from './run-concurrently.ts'
import type { TestClient } from './test-client.ts'

/** Each of 20 concurrent tests gets what it asked, in record and in replay, though they share one client. */
export function describeConcurrentTests(clients: readonly TestClient[]): void {
  beforeAll(trustCertificate)

  test.each(clients.map((client) => [client.name, client] as const))(
    '20 concurrent tests through %s: each has its own requests',
    (_, client) => expectRight(client),
  )
}

export async function expectRight(client: TestClient): Promise<void> {
  const { recorded, replayed, requests } = await runConcurrently(client)
  expect(recorded).toEqual(expectedTests('recorded'))
  expect(requests).toBe(60)
  expect(replayed).toEqual(expectedTests('replayed'))
}
