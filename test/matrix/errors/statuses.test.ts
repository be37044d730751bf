import { describe, expect, test } from 'vitest'
import { recordAndReplay } from '../../session/record-and-replay.ts'
import { asks } from '../asks.ts'
import { outcome } from '../outcome.ts'
import { failing } from './error-replies.ts'

const statuses = [400, 401, 403, 404, 408, 409, 413, 429, 500, 503, 504, 529]
const streaming = /stream/i

describe.each(Object.entries(asks))('%s', (name, ask) => {
  // A stream that never began fails like any other request.
  test.each(streaming.test(name) ? [429, 500] : statuses)('fails the same for a status of %i', async (status) => {
    const { recorded, replayed, requests } = await recordAndReplay([failing(status)], (url) => outcome(ask(url)))
    expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: 1, errors: [] })
    expect(replayed.result).toMatchObject({ kind: 'replayed', liveCalls: 0, replayedCalls: 1, errors: [] })
    expect(requests).toBe(1)
    expect(recorded.value).toHaveProperty('error')
    expect(replayed.value).toEqual(recorded.value)
  })
})
