import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { anthropicError, anthropicReply } from '../support/fake-provider/anthropic.ts'
import { chatError, chatReply } from '../support/fake-provider/chat.ts'
import type { FakeReply, Scripted } from '../support/fake-provider/reply.ts'
import { countingFetch, outcomeOf, recordAndReplay } from './record-and-replay.ts'
import { anthropicAt, chatRequest, messageRequest, openaiAt, postChat } from './sdk-clients.ts'

const wait = { 'retry-after-ms': '20' }
const slow = { 'retry-after': '1' }

interface Vendor {
  limited(headers?: Record<string, string>): FakeReply
  broken: FakeReply
  answer: Scripted
  ask(url: string, options: { fetch: typeof fetch; maxRetries?: number }): PromiseLike<unknown>
}

const openai: Vendor = {
  limited: (headers = wait) => chatError(429, { message: 'Slow down', code: 'rate_limit_exceeded' }, headers),
  broken: chatError(500, { message: 'Oops', type: 'server_error' }, wait),
  answer: chatReply({ content: 'Hello' }),
  ask: (url, options) =>
    openaiAt(url, options)
      .chat.completions.create(chatRequest())
      .then(({ choices }) => choices[0]?.message.content),
}
const anthropic: Vendor = {
  limited: (headers = wait) => anthropicError(429, 'rate_limit_error', 'Slow down', headers),
  broken: anthropicError(529, 'overloaded_error', 'Overloaded', wait),
  answer: anthropicReply({ content: [{ type: 'text', text: 'Hello' }] }),
  ask: (url, options) =>
    anthropicAt(url, options)
      .messages.create(messageRequest())
      .then(({ content }) => content[0]),
}

const cases: [string, (vendor: Vendor) => Scripted[], attempts: number][] = [
  ['a rate limit, then an answer', ({ limited, answer }) => [limited(), answer], 2],
  ['a wait of a second, then an answer', ({ limited, answer }) => [limited(slow), answer], 2],
  ['two failures, then an answer', ({ broken, answer }) => [broken, broken, answer], 3],
  ['failures of different kinds until the SDK gives up', ({ broken, limited }) => [broken, broken, limited()], 3],
  ['a reset connection, then an answer', ({ answer }) => [{ cutAfter: 0 }, answer], 2],
]

/** Provider ids do not come back; Anthropic's SDK quotes the whole body in its message. */
const withoutRequestId = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/\\?"req_\w+\\?"/g, 'null'))

for (const [name, vendor] of Object.entries({ openai, anthropic })) {
  test.each(cases)(`${name}: %s replay with the same attempts, at once`, async (_, replies, attempts) => {
    const { recorded, replayed, replayMs, requests } = await recordAndReplay(replies(vendor), async (url) => {
      const counter = countingFetch()
      const outcome = await outcomeOf(vendor.ask(url, { fetch: counter.fetch }))
      return { outcome, attempts: counter.attempts }
    })
    expect(requests).toBe(attempts)
    expect(recorded.value.attempts).toBe(attempts)
    expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: attempts })
    expect(replayed.value.attempts).toBe(attempts)
    expect(withoutRequestId(replayed.value)).toEqual(withoutRequestId(recorded.value))
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], replayedCalls: attempts })
    expect(replayMs).toBeLessThan(900)
  })

  test(`${name}: a connection that is always reset fails in the same words`, async () => {
    const { recorded, replayed } = await recordAndReplay([{ cutAfter: 0 }], (url) =>
      outcomeOf(vendor.ask(url, { fetch: countingFetch().fetch, maxRetries: 0 })),
    )
    expect(recorded.value).toMatchObject({ error: { class: 'APIConnectionError' } })
    expect(replayed.value).toEqual(recorded.value)
  })
}

test.each<[string, FakeReply]>([
  ['a page of HTML', { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' }],
  ['no body', { status: 500, body: '' }],
  ['JSON of another shape', { status: 503, body: '{"detail":["busy",3]}' }],
  ['a text', { status: 404, headers: { 'content-type': 'text/plain' }, body: 'no such model' }],
])('an error with %s comes back the same', async (_, reply) => {
  const { recorded, replayed } = await recordAndReplay([reply], async (url) => [
    await outcomeOf(openaiAt(url, { maxRetries: 0 }).chat.completions.create(chatRequest())),
  ])
  expect(recorded.value[0]).toHaveProperty('error')
  expect(replayed.value).toEqual(recorded.value)
})

test('a failed fetch keeps the words and the code of its cause', async () => {
  const { recorded, replayed } = await recordAndReplay([{ cutAfter: 0 }], (url) => outcomeOf(postChat(url)))
  expect(recorded.value).toMatchObject({ error: { message: 'fetch failed', cause: { code: 'UND_ERR_SOCKET' } } })
  expect(replayed.value).toEqual(recorded.value)
})

test('another model after the first one failed is replayed as it went', async () => {
  const replies = [openai.limited(), openai.broken, openai.limited(), openai.answer]
  const { recorded, replayed } = await recordAndReplay(replies, async (url) => {
    const ask = (model: string) => openaiAt(url).chat.completions.create({ ...chatRequest(), model })
    const { choices } = await ask('gpt-5').catch(() => ask('gpt-5-mini'))
    return choices[0]?.message.content
  })
  expect(recorded.value).toBe('Hello')
  expect(replayed).toMatchObject({ value: 'Hello', result: { kind: 'replayed', replayedCalls: 4 } })
})

test.each<[string, (agent: string) => string]>([
  ['the same question', () => 'Hi'],
  ['different questions', (agent) => `Hi from ${agent}`],
])('two agents at once with %s, which both fail at first, have their own attempts', async (_, question) => {
  const seen = new Map<string, number>()
  const script: Scripted = async (request) => {
    const agent = request.headers['x-agent'] ?? ''
    const attempt = (seen.get(agent) ?? 0) + 1
    seen.set(agent, attempt)
    await pause(agent === 'one' ? 4 : 12)
    if (attempt === 1) return openai.limited()
    const answer = openai.answer
    return typeof answer === 'function' ? answer(request) : answer
  }
  const { recorded, replayed } = await recordAndReplay(script, (url) =>
    Promise.all(
      ['one', 'two'].map(async (agent) => {
        const counter = countingFetch()
        const client = openaiAt(url, { fetch: counter.fetch, defaultHeaders: { 'x-agent': agent } })
        const { choices } = await client.chat.completions.create(chatRequest(question(agent)))
        return [agent, choices[0]?.message.content, counter.attempts]
      }),
    ),
  )
  expect(recorded.value).toEqual([
    ['one', 'Hello', 2],
    ['two', 'Hello', 2],
  ])
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})
