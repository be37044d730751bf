import { expect, test } from 'vitest'
import { anthropicErrorEvent, anthropicStream } from '../support/fake-provider/anthropic.ts'
import { chatJson, chatStream } from '../support/fake-provider/chat.ts'
import type { FakeReply } from '../support/fake-provider/reply.ts'
import { outcomeOf, recordAndReplay } from './record-and-replay.ts'
import { anthropicAt, chatRequest, messageRequest, openaiAt, postChat } from './sdk-clients.ts'

const text = 'one two three four'
const pause = { pieces: 4, pauseMs: 10 }
const chat = chatStream({ content: text }, pause)
const message = anthropicStream({ content: [{ type: 'text', text }] }, pause)
/** Role, four deltas, reason, [DONE]; and message_start, ping, block start, four deltas, block stop, delta, stop. */
const [chatHead, messageHead] = [1, 3]

type Consume = (url: string, onText: (text: string) => boolean) => Promise<unknown>

/** Reads texts until `onText` says that it is enough; gives back what ended the reading. */
const rawChat: Consume = (url, onText) =>
  outcomeOf(
    (async () => {
      for await (const chunk of await openaiAt(url).chat.completions.create({ ...chatRequest(), stream: true }))
        if (!onText(chunk.choices[0]?.delta.content ?? '')) break
    })(),
  )
const rawMessage: Consume = (url, onText) =>
  outcomeOf(
    (async () => {
      for await (const event of await anthropicAt(url).messages.create({ ...messageRequest(), stream: true })) {
        const delta = event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : ''
        if (!onText(delta)) break
      }
    })(),
  )
const helpedChat: Consume = async (url, onText) => {
  const stream = openaiAt(url).chat.completions.stream(chatRequest())
  stream.on('content', (delta) => onText(delta) || stream.abort())
  return outcomeOf(stream.finalContent())
}
const helpedMessage: Consume = async (url, onText) => {
  const stream = anthropicAt(url).messages.stream(messageRequest())
  stream.on('text', (delta) => onText(delta) || stream.abort())
  return outcomeOf(stream.finalText())
}

/** Records and replays `consume`, stopping at the `stopAt`-th text that is not empty. */
const run = (consume: Consume, reply: FakeReply, stopAt = Number.POSITIVE_INFINITY) =>
  recordAndReplay([reply], async (url) => {
    const texts: string[] = []
    const end = await consume(url, (delta) => {
      if (delta !== '') texts.push(delta)
      return texts.length < stopAt
    })
    return { texts, end }
  })

const consumers: [string, Consume, FakeReply][] = [
  ['openai', rawChat, chat],
  ['openai stream helper', helpedChat, chat],
  ['anthropic', rawMessage, message],
  ['anthropic stream helper', helpedMessage, message],
]

test.each(consumers)('%s: an agent that stops after two texts sees the same two', async (_, consume, reply) => {
  const { recorded, replayed, replayMs } = await run(consume, reply, 2)
  expect(recorded.value.texts).toEqual(['one t', 'wo th'])
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(replayMs).toBeLessThan(1000)
})

test.each(consumers)('%s: a stream that is cut breaks at the same place', async (_, consume, reply) => {
  const head = reply === chat ? chatHead : messageHead
  const { recorded, replayed } = await run(consume, { ...reply, cutAfter: head + 2 })
  expect(recorded.value.texts).toEqual(['one t', 'wo th'])
  expect(recorded.value.end).toHaveProperty('error')
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

const chatError = 'data: {"error":{"message":"Overloaded","type":"server_error","param":null,"code":null}}\n\n'
const withError = (reply: FakeReply): FakeReply =>
  reply === chat
    ? { ...reply, chunks: [...(reply.chunks ?? []).slice(0, chatHead + 2), chatError] }
    : {
        ...reply,
        chunks: [
          ...(reply.chunks ?? []).slice(0, messageHead + 2),
          anthropicErrorEvent('overloaded_error', 'Overloaded'),
        ],
      }

test.each(consumers)('%s: an error inside a stream comes after the same texts', async (_, consume, reply) => {
  const { recorded, replayed } = await run(consume, withError(reply))
  expect(recorded.value.texts).toEqual(['one t', 'wo th'])
  expect(JSON.stringify(recorded.value.end)).toContain('Overloaded')
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test.each([
  ['openai', chat, async (url: string) => openaiAt(url).chat.completions.create({ ...chatRequest(), stream: true })],
  [
    'anthropic',
    message,
    async (url: string) => anthropicAt(url).messages.create({ ...messageRequest(), stream: true }),
  ],
])('%s: an agent that stops at an event without text sees the same ones', async (_, reply, open) => {
  for (const count of [1, 2]) {
    const { recorded, replayed } = await recordAndReplay([reply], async (url) => {
      const types: string[] = []
      for await (const event of (await open(url)) as AsyncIterable<{ type?: string; object?: string }>) {
        types.push(event.type ?? event.object ?? '')
        if (types.length === count) break
      }
      return types
    })
    expect(recorded.value).toHaveLength(count)
    expect(replayed.value).toEqual(recorded.value)
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  }
})

test('an agent that hangs up before the first event is recorded, and hangs up again', async () => {
  const slow: FakeReply = { chunks: chat.chunks ?? [], bytesPerSecond: 10 }
  const { recorded, replayed } = await recordAndReplay([slow], async (url) => {
    const aborter = new AbortController()
    const response = await postChat(url, { ...chatRequest(), stream: true }, { signal: aborter.signal })
    setTimeout(() => aborter.abort(), 30)
    return outcomeOf(response.text())
  })
  expect(recorded.value).toMatchObject({ error: { name: 'AbortError' } })
  expect(replayed.value).toEqual(recorded.value)
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test.each<[string, object]>([
  ['JSON', {}],
  ['a stream', { stream: true }],
])('a response of %s that nobody reads is recorded and replayed', async (_, options) => {
  const reply = 'stream' in options ? chat : { body: '{}' }
  const { recorded, replayed } = await recordAndReplay(
    [
      'stream' in options
        ? reply
        : { body: JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', content: 'x' } }] }) },
    ],
    async (url) => (await postChat(url, { ...chatRequest(), ...options })).status,
  )
  expect(recorded).toMatchObject({ value: 200, result: { kind: 'recorded', errors: [] } })
  expect(replayed).toMatchObject({ value: 200, result: { kind: 'replayed', errors: [] } })
})

test('an answer after a broken one is a new call of the same request', async () => {
  const { recorded, replayed, requests } = await recordAndReplay(
    [{ ...chat, cutAfter: chatHead + 2 }, chat],
    async (url) => {
      const texts: string[][] = []
      for (let attempt = 0; attempt < 2; attempt++) {
        const seen: string[] = []
        texts.push(seen)
        await rawChat(url, (delta) => Boolean(seen.push(delta)))
      }
      return texts
    },
  )
  expect(requests).toBe(2)
  expect(recorded.value.map((texts) => texts.join(''))).toEqual(['one two th', text])
  expect(replayed.value).toEqual(recorded.value)
})

type Stops = (event: { type?: string; choices?: { finish_reason: string | null }[] }) => boolean
const opens: [string, (url: string) => Promise<AsyncIterable<unknown>>, FakeReply, Stops][] = [
  [
    'openai',
    async (url) => openaiAt(url).chat.completions.create({ ...chatRequest(), stream: true }),
    chat,
    ({ choices }) => Boolean(choices?.[0]?.finish_reason),
  ],
  [
    'anthropic',
    async (url) => anthropicAt(url).messages.create({ ...messageRequest(), stream: true }),
    message,
    ({ type }) => type === 'message_delta',
  ],
]

test.each(opens)(
  '%s: an agent that stops when it is told why the reply ends has a whole reply',
  async (_, open, reply, stops) => {
    const { recorded, replayed } = await recordAndReplay([reply], async (url, cassette) => {
      const events: unknown[] = []
      for await (const event of await open(url)) {
        events.push((event as { type?: string }).type ?? 'chunk')
        if (stops(event as never)) break
      }
      return { events, calls: cassette.trace.steps.map(({ type }) => type) }
    })
    expect(replayed.value.events).toEqual(recorded.value.events)
    expect(recorded.cassette.trace.steps.map(({ type }) => type)).toEqual(['model_input', 'model_output'])
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  },
)

test.each(opens)('%s: an agent that neither ends nor closes its stream sees the same of it', async (_, open, reply) => {
  const { recorded, replayed } = await recordAndReplay([reply], async (url) => {
    const iterator = (await open(url))[Symbol.asyncIterator]()
    const events: unknown[] = []
    while (events.length < 4)
      events.push(JSON.stringify((await iterator.next()).value).replace(/"id":"[^"]*"|"created":\d+/g, ''))
    return events.map((event) => /"(?:content|text)":"[^"]*"/.exec(String(event))?.[0])
  })
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('a call whose signal is aborted already is no call', async () => {
  const { recorded, replayed, requests } = await recordAndReplay(
    [{ body: chatJson({ content: 'x' }).body ?? '' }],
    async (url) => {
      const gone = await outcomeOf(postChat(url, chatRequest('never'), { signal: AbortSignal.abort() }))
      return [gone, (await postChat(url)).status]
    },
  )
  expect(requests).toBe(1)
  expect(recorded.value).toMatchObject([{ error: { name: 'AbortError' } }, 200])
  expect(recorded.result).toMatchObject({ kind: 'recorded', liveCalls: 1 })
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], replayedCalls: 1 })
})
