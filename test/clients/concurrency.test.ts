import { expect, test } from 'vitest'
import { describeConcurrentTests, expectRight } from './describe-concurrent-tests.ts'
import { httpClients } from './http-clients.ts'
import { pooledClients, throughFullPool, undiciRequestFour } from './pooled-clients.ts'
import { expectedTests, runConcurrently } from './run-concurrently.ts'
import { sdkClients } from './sdk-clients.ts'

describeConcurrentTests([...httpClients, ...pooledClients, ...sdkClients])

// The limit that docs/clients.md names: when it is gone, this fails.
test.fails('20 concurrent tests through fetch of undici 7 and a full pool are told apart', () =>
  expectRight(throughFullPool))

test('where they are not told apart, a replay fails loudly', async () => {
  const { recorded, replayed } = await runConcurrently(undiciRequestFour, throughFullPool)
  expect(recorded).toEqual(expectedTests('recorded'))
  const expected = expectedTests('replayed')
  const wrong = replayed.filter((run, n) => JSON.stringify(run) !== JSON.stringify(expected[n]))
  expect(wrong.length).toBeGreaterThan(0)
  for (const { errors } of wrong) expect(errors).not.toEqual([])
})
