import type { CassetteOptions } from '@retake/session'
import { loadCassette } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { inTest, temporaryCassette } from '../session/in-test.ts'
import { recordAndReplay } from '../session/record-and-replay.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { FakeReply, Scripted } from '../support/fake-provider/reply.ts'
import { asks } from './asks.ts'
import { consumers } from './errors/consumers.ts'
import { outcome } from './outcome.ts'
import { says } from './replies.ts'
import type { Seen } from './seen.ts'

/** What stands beside the steps of a v3 cassette, and what a replay without it gives. */

const text = 'one two three four five six seven'

const read = async (name: string, options: CassetteOptions) => {
  const consume = consumers[name]
  if (!consume) throw new Error(`no consumer ${name}`)
  return recordAndReplay(
    [says({ text, stop: 'end' })],
    async (url) => {
      const seen: string[] = []
      await consume(url, (delta) => seen.push(delta), new AbortController().signal)
      return seen
    },
    options,
  )
}

describe.each(Object.keys(consumers))('%s', (name) => {
  test('reads the recorded deltas from v3, and one from v2', async () => {
    const v3 = await read(name, {})
    expect(v3.recorded.value.length).toBeGreaterThan(2)
    expect(v3.replayed.value).toEqual(v3.recorded.value)
    const v2 = await read(name, { format: 'v2' })
    expect(v2.replayed.value).toEqual([text])
  })
})

/** Every count in what a client tells of a reply. */
const counts = (value: unknown): number[] => {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(counts) : []
}

test.each([
  ['openai chat.create', 'gpt-5'],
  ['openai responses.create', 'gpt-5'],
  ['anthropic messages.create', 'claude-sonnet-5-5'],
  ['genai generateContent', 'gemini-3-pro'],
])(
  '%s: usage and model come back from v3; from v2 every count is zero and the model is the one asked',
  async (name, asked) => {
    const ask = asks[name]
    if (!ask) throw new Error(`no client ${name}`)
    const once = (format: 'v2' | 'v3') => recordAndReplay([says({ text: 'Hi.', stop: 'end' })], ask, { format })
    const usageOf = (seen: Seen) => counts(seen.usage).sort((one, other) => one - other)
    const modelsOf = (seen: Seen) => seen.models ?? [seen.model]
    const v3 = await once('v3')
    expect(Math.max(...usageOf(v3.recorded.value))).toBeGreaterThan(0)
    expect(usageOf(v3.replayed.value)).toEqual(usageOf(v3.recorded.value))
    expect(modelsOf(v3.replayed.value)).toEqual(modelsOf(v3.recorded.value))
    const v2 = await once('v2')
    expect(Math.max(...usageOf(v2.replayed.value))).toBe(0)
    expect(modelsOf(v2.replayed.value)).toEqual([asked])
  },
)

describe("pace: 'recorded'", () => {
  const [wait, pause] = [80, 30]
  const slow: Scripted = async (request): Promise<FakeReply> => {
    const answer = says({ text, stop: 'end' })
    const reply = typeof answer === 'function' ? await answer(request) : answer
    return { ...reply, waitMs: wait, pauseMs: pause }
  }

  /** Replays what was recorded from `slow`, with the pace given. */
  const replay = async (agent: (url: string) => Promise<unknown>) => {
    await using file = await temporaryCassette()
    const provider = await startFakeProvider({ replies: [slow] })
    const recorded = await inTest(file.path, {}, () => agent(provider.url))
    await provider.stop()
    const [extras] = loadCassette(file.path).extras
    const startedAt = performance.now()
    const replayed = await inTest(file.path, { pace: 'recorded' }, () => agent(provider.url))
    return { recorded, replayed, extras, replayMs: performance.now() - startedAt }
  }

  test.each(Object.entries(consumers))('%s takes as long as it took', async (_, consume) => {
    const { recorded, replayed, extras, replayMs } = await replay(async (url) => {
      const seen: string[] = []
      await consume(url, (delta) => seen.push(delta), new AbortController().signal)
      return seen
    })
    expect(replayed.value).toEqual(recorded.value)
    const { firstByteMs = 0, durationMs = 0 } = extras ?? {}
    expect(firstByteMs).toBeGreaterThanOrEqual(wait - 5)
    expect(durationMs).toBeGreaterThanOrEqual(firstByteMs + 4 * pause - 20)
    // A timer may be late, never early.
    expect(replayMs).toBeGreaterThanOrEqual(durationMs - 20)
  })

  test('an agent that aborts after the first delta sees no more of them', async () => {
    const { recorded, replayed } = await replay(async (url) => {
      const aborter = new AbortController()
      const seen: string[] = []
      const onText = (delta: string) => {
        seen.push(delta)
        aborter.abort()
      }
      const end = await outcome(consumers['openai chat.create']?.(url, onText, aborter.signal) ?? Promise.reject())
      return { seen, end }
    })
    expect(recorded.value).toMatchObject({ seen: [expect.any(String)] })
    expect(replayed.value).toEqual(recorded.value)
  })

  test('a whole reply comes when it had come', async () => {
    const { replayed, extras, replayMs } = await replay(
      (url) => asks['anthropic messages.create']?.(url) as Promise<unknown>,
    )
    expect(replayed.value).toMatchObject({ text })
    expect(extras?.durationMs).toBeGreaterThanOrEqual(wait - 5)
    expect(replayMs).toBeGreaterThanOrEqual((extras?.durationMs ?? 0) - 5)
  })
})
