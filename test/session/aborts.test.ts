import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { chatJson, chatReply, chatStream } from '../support/fake-provider/chat.ts'
import type { FakeReply } from '../support/fake-provider/reply.ts'
import { countingFetch, outcomeOf, recordAndReplay } from './record-and-replay.ts'
import { anthropicAt, chatRequest, messageRequest, openaiAt, postChat } from './sdk-clients.ts'

const silent: FakeReply = { silentAfter: 0 }
const answer = chatReply({ content: 'Hello' })
const stream = chatStream({ content: 'one two three four' }, { pieces: 4, pauseMs: 5 })
const json = { headers: { 'content-type': 'application/json' }, chunks: ['{"choices":[', '…'] }

/** Records and replays; the replay must see the same, and be over within `limit` milliseconds. */
async function expectSame(
  replies: Parameters<typeof recordAndReplay>[0],
  agent: (url: string) => Promise<unknown>,
  limit: number,
) {
  const { recorded, replayed, replayMs } = await recordAndReplay(replies, agent)
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(replayMs).toBeLessThan(limit)
  return recorded.value
}

/** The time is the client's own there. */
const slow = Number.POSITIVE_INFINITY

type Options = { signal?: AbortSignal; timeout?: number; maxRetries?: number; fetch?: typeof fetch }

/** The SDK of OpenAI tells its time-out only where the request has one of its own. */
const asks = {
  openai: (url: string, { fetch, ...options }: Options = {}) =>
    openaiAt(url, fetch && { fetch }).chat.completions.create(chatRequest(), options),
  anthropic: (url: string, { fetch, ...options }: Options = {}) =>
    anthropicAt(url, fetch && { fetch }).messages.create(messageRequest(), options),
}

for (const [name, ask] of Object.entries(asks)) {
  test.concurrent(`${name}: an agent that aborts before the answer aborts again, with one attempt`, async () => {
    const seen = await expectSame(
      [silent],
      async (url) => {
        const aborter = new AbortController()
        const counter = countingFetch()
        setTimeout(() => aborter.abort(), 40)
        const outcome = await outcomeOf(ask(url, { signal: aborter.signal, fetch: counter.fetch }))
        return { outcome, attempts: counter.attempts }
      },
      800,
    )
    expect(seen).toMatchObject({ outcome: { error: { class: 'APIUserAbortError' } }, attempts: 1 })
  })

  test.concurrent(`${name}: the time-out of the SDK is over at once in a replay`, async () => {
    const seen = await expectSame([silent], (url) => outcomeOf(ask(url, { timeout: 1000, maxRetries: 0 })), 800)
    expect(seen).toMatchObject({ error: { class: 'APIConnectionTimeoutError' } })
  })

  test.concurrent(`${name}: an agent that aborts before the time-out of its SDK still aborts`, async () => {
    const seen = await expectSame(
      [silent],
      async (url) => {
        const aborter = new AbortController()
        setTimeout(() => aborter.abort(), 600)
        return outcomeOf(ask(url, { signal: aborter.signal, timeout: 1000, maxRetries: 0 }))
      },
      slow,
    )
    expect(seen).toMatchObject({ error: { class: 'APIUserAbortError' } })
  })
}

test.concurrent('a time-out that the SDK tries again is replayed with its answer', async () => {
  const counts: number[] = []
  const seen = await expectSame(
    [silent, answer],
    async (url) => {
      const counter = countingFetch()
      const { choices } = await asks.openai(url, { timeout: 1000, fetch: counter.fetch })
      counts.push(counter.attempts)
      return choices[0]?.message.content
    },
    900,
  )
  expect(seen).toBe('Hello')
  expect(counts).toEqual([2, 2])
})

test.concurrent('AbortSignal.timeout on a silent server fires again', async () => {
  const seen = await expectSame(
    [silent],
    (url) => outcomeOf(postChat(url, chatRequest(), { signal: AbortSignal.timeout(200) })),
    slow,
  )
  expect(seen).toMatchObject({ error: { name: 'TimeoutError' } })
})

test.concurrent('AbortSignal.timeout on a stream that falls silent fires again, after the same texts', async () => {
  const seen = await expectSame(
    [{ ...stream, silentAfter: 3 }],
    async (url) => {
      const response = await postChat(url, { ...chatRequest(), stream: true }, { signal: AbortSignal.timeout(200) })
      const texts: string[] = []
      const utf8 = new TextDecoder()
      const end = await outcomeOf(
        (async () => {
          for await (const chunk of response.body ?? []) texts.push(utf8.decode(chunk, { stream: true }))
        })(),
      )
      return [[...texts.join('').matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text), end]
    },
    slow,
  )
  expect(seen).toMatchObject([['', 'one t', 'wo th'], { error: { name: 'TimeoutError' } }])
})

test.concurrent('an answer whose headers came and whose body did not times out again', async () => {
  const seen = await expectSame(
    [{ ...json, silentAfter: 1 }],
    (url) => outcomeOf(asks.openai(url, { timeout: 1000, maxRetries: 0 })),
    800,
  )
  expect(seen).toHaveProperty('error')
})

test.concurrent('an answer that is cut in the middle of its JSON is not tried again, as without retake', async () => {
  const counts: number[] = []
  const seen = await expectSame(
    [{ ...json, cutAfter: 1 }],
    async (url) => {
      const counter = countingFetch()
      const outcome = await outcomeOf(openaiAt(url, { fetch: counter.fetch }).chat.completions.create(chatRequest()))
      counts.push(counter.attempts)
      return outcome
    },
    800,
  )
  expect(seen).toMatchObject({ error: { message: 'terminated' } })
  expect(counts).toEqual([1, 1])
})

test.concurrent('an agent that gave up on one call and goes on with another is replayed', async () => {
  const seen = await expectSame(
    ({ body }) => (body.messages[0].content === 'slow' ? silent : chatJson({ content: 'Hello' })),
    async (url) => {
      const aborter = new AbortController()
      const first = outcomeOf(openaiAt(url).chat.completions.create(chatRequest('slow'), { signal: aborter.signal }))
      await pause(150)
      aborter.abort()
      const { choices } = await openaiAt(url).chat.completions.create(chatRequest('fast'))
      return [(await first) as object, choices[0]?.message.content]
    },
    800,
  )
  expect(seen).toMatchObject([{ error: { class: 'APIUserAbortError' } }, 'Hello'])
})

test.concurrent('the first of two models to answer wins the same race', async () => {
  const slow = async (request: { body: { model: string } }): Promise<FakeReply> => {
    await pause(request.body.model === 'slow' ? 150 : 5)
    return {
      body: JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: request.body.model } }] }),
    }
  }
  const seen = await expectSame(
    slow,
    async (url) => {
      const aborter = new AbortController()
      const ask = async (model: string) => {
        const { choices } = await openaiAt(url).chat.completions.create(
          { ...chatRequest(), model },
          { signal: aborter.signal },
        )
        return choices[0]?.message.content
      }
      const asked = ['slow', 'fast'].map(ask)
      const winner = await Promise.race(asked)
      aborter.abort()
      await Promise.allSettled(asked)
      return winner
    },
    800,
  )
  expect(seen).toBe('fast')
})
