import { describe, expect, test } from 'vitest'
import { recordAndReplay } from '../../session/record-and-replay.ts'
import type { Scripted } from '../../support/fake-provider/reply.ts'
import { outcome } from '../outcome.ts'
import { says } from '../replies.ts'
import { withoutWaiting } from '../waits.ts'
import { failing } from './error-replies.ts'
import { type Retrying, retrying } from './retrying.ts'

const answer = says({ text: 'Hello.', stop: 'end' })

const run = async ({ ask }: Retrying, replies: Scripted[]) => {
  const waits: number[][] = []
  const { recorded, replayed, requests } = await recordAndReplay(replies, async (url) => {
    const { value, waits: asked } = await withoutWaiting(() => outcome(ask(url)))
    waits.push(asked)
    return value
  })
  expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: requests, errors: [] })
  expect(replayed.result).toMatchObject({ kind: 'replayed', replayedCalls: requests, liveCalls: 0, errors: [] })
  expect(replayed.value).toEqual(recorded.value)
  const [live = [], replay = []] = waits
  return { value: recorded.value, requests, live, replay }
}

const inSevenSeconds = (): Scripted => (request) =>
  failing(429, { 'retry-after': new Date(Date.now() + 7000).toUTCString() })(request)

/** Milliseconds; streams wake up now and then. */
const noBackOff = 100

const limits: Record<string, Scripted> = {
  'retry-after in seconds': failing(429, { 'retry-after': '7' }),
  'retry-after as a date': inSevenSeconds(),
  'retry-after-ms': failing(429, { 'retry-after-ms': '7000' }),
}

describe.each(Object.entries(retrying))('%s', (_, client) => {
  const { attempts, ownWait = 0 } = client
  const most = Math.max(noBackOff, ownWait * 2)

  test.each(Object.entries(limits))('a rate limit with %s, then an answer', async (_name, limited) => {
    const { requests, value, live, replay } = await run(client, [limited, answer])
    if (requests === 1) return expect(value).toHaveProperty('error')
    expect(requests).toBe(2)
    expect(JSON.stringify(value)).toContain('Hello.')
    if (ownWait === 0) expect(Math.max(...live)).toBeGreaterThan(3000)
    expect(replay).not.toEqual([])
    expect(Math.max(...replay)).toBeLessThanOrEqual(most)
  })

  test('overloaded until it gives up', async () => {
    const { requests, value, replay } = await run(client, [failing(529), failing(529), failing(529), answer])
    expect(value).toHaveProperty('error')
    expect(requests).toBeLessThanOrEqual(attempts)
    expect(Math.max(0, ...replay)).toBeLessThanOrEqual(most * 2)
  })

  test('a failure of another kind each time, then an answer', async () => {
    const { requests, value } = await run(client, [failing(500), failing(503), answer])
    if (attempts === 1) return expect(value).toHaveProperty('error')
    expect(requests).toBe(3)
  })

  test('a reset connection, then an answer', async () => {
    const { requests, value } = await run(client, [{ cutAfter: 0 }, answer])
    if (requests === 2) expect(JSON.stringify(value)).toContain('Hello.')
    else expect(value).toHaveProperty('error')
  })

  test('one that is not to be tried again', async () => {
    await run(client, [failing(429, { 'x-should-retry': 'false' }), failing(429), failing(429)])
  })
})

test("Google's own word for the wait is stored, and nobody waits for it in a replay", async () => {
  const limited = failing(429, {}, { retryDelay: '7s' })
  const { recorded } = await recordAndReplay([limited, answer], (url) =>
    withoutWaiting(() => outcome(retrying['genai with retryOptions']?.ask(url) ?? Promise.reject())),
  )
  const { steps } = recorded.cassette.trace
  expect(steps[1]?.payload).toMatchObject({ event: 'model_error', status: 429, retryAfterMs: 7000 })
})
