import AnthropicBedrock from '@anthropic-ai/bedrock-sdk'
import type Anthropic from '@anthropic-ai/sdk'
import AnthropicVertex from '@anthropic-ai/vertex-sdk'
import { describe, expect, test } from 'vitest'
import {
  type AnthropicTurn,
  anthropicError,
  anthropicErrorEvent,
  anthropicReply,
  anthropicStream,
} from '../support/fake-provider/anthropic.ts'
import { exceptionFrame } from '../support/fake-provider/aws-frames.ts'
import { bedrockError, invokeFrame, invokeReply, invokeStream } from '../support/fake-provider/bedrock.ts'
import type { FakeReply, Scripted } from '../support/fake-provider/reply.ts'
import { outcomeOf, recordAndReplay } from './record-and-replay.ts'

/** Anthropic's models in the clouds of others, through the clients of Anthropic for them. */

interface Cloud {
  messages(url: string): Anthropic['messages']
  reply(turn: AnthropicTurn, pieces?: number): Scripted
  stream(turn: AnthropicTurn): FakeReply
  error(status: number, type: string): FakeReply
  /** Ends of a stream that broke in the cloud's own way, and in Anthropic's. */
  broken: (string | Uint8Array)[]
}

const overloaded = anthropicErrorEvent('overloaded_error', 'Overloaded')

const clouds: Record<string, Cloud> = {
  Bedrock: {
    messages: (baseURL) =>
      new AnthropicBedrock({
        baseURL,
        awsRegion: 'eu-west-1',
        awsAccessKey: 'AKIDFORTESTS',
        awsSecretKey: 'not-a-secret',
        maxRetries: 0,
      }).messages as Anthropic['messages'],
    reply: (turn, pieces = 1) => invokeReply(turn, { pieces }),
    stream: (turn) => invokeStream(turn, { pieces: 4, pauseMs: 10 }),
    error: (status, type) => bedrockError(status, type, 'No.'),
    broken: [exceptionFrame('modelStreamErrorException', 'The model failed.'), invokeFrame(overloaded)],
  },
  Vertex: {
    messages: (url) =>
      new AnthropicVertex({
        baseURL: `${url}/v1`,
        region: 'europe-west1',
        projectId: 'p',
        maxRetries: 0,
        authClient: { getRequestHeaders: async () => new Headers({ authorization: 'Bearer t' }) } as never,
      }).messages as Anthropic['messages'],
    reply: (turn, pieces = 1) => anthropicReply(turn, { pieces }),
    stream: (turn) => anthropicStream(turn, { pieces: 4, pauseMs: 10 }),
    error: (status, type) => anthropicError(status, type, 'No.'),
    broken: [overloaded],
  },
}

const model = 'claude-sonnet-4-5@20250929'
const question = { role: 'user' as const, content: 'What is it like in Paris?' }
const params = {
  model,
  max_tokens: 100,
  messages: [question],
  tools: [{ name: 'get_weather', input_schema: { type: 'object' as const } }],
}
const look: AnthropicTurn = {
  content: [
    { type: 'thinking', thinking: 'Which city?', signature: 'c2ln' },
    { type: 'text', text: 'Let me look – 日本 😀\u2028.' },
    { type: 'tool_use', id: 'toolu_bdrk_01', name: 'get_weather', input: { city: 'Paris' } },
  ],
}
const answer: AnthropicTurn = { content: [{ type: 'text', text: 'It is 18 °C.' }] }

type Ask = (messages: Anthropic['messages'], history: Anthropic.MessageParam[]) => Promise<Anthropic.Message>

const loop = (connect: Cloud['messages'], ask: Ask) =>
  async function agent(url: string) {
    const messages = connect(url)
    const history: Anthropic.MessageParam[] = [question]
    for (;;) {
      const { content, stop_reason, usage } = await ask(messages, history)
      history.push({ role: 'assistant', content: content as Anthropic.ContentBlockParam[] })
      const calls = content.filter((block) => block.type === 'tool_use')
      if (calls.length === 0) return { history, stop_reason, output: usage.output_tokens }
      const results = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'fine' }))
      history.push({ role: 'user', content: results })
    }
  }

const ways: [string, Ask][] = [
  ['JSON', (messages, history) => messages.create({ ...params, messages: history })],
  ['a stream', (messages, history) => messages.stream({ ...params, messages: history }).finalMessage()],
]

const withoutIds = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/"(toolu_\w+|call-\d+)"/g, '"id"'))

/** Anthropic's SDK quotes the whole body in its message. */
const withoutRequestId = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/\\?"req_\w+\\?"/g, 'null'))

describe.each(Object.entries(clouds))('on %s', (_, cloud) => {
  test.each(ways)('an agent over %s sees in a replay what it saw', async (_, ask) => {
    const replies = [cloud.reply(look, 3), cloud.reply(answer, 3)]
    const { recorded, replayed, requests } = await recordAndReplay(replies, loop(cloud.messages, ask))
    expect(requests).toBe(2)
    expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
    expect(recorded.value).toMatchObject({ stop_reason: 'end_turn', output: 17 })
    expect(withoutIds(replayed.value)).toEqual(withoutIds(recorded.value))
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], liveCalls: 0, unused: 0 })
    const { model: asked, params: given } = Object(recorded.cassette.trace.steps[0]?.payload)
    expect([asked, given]).toEqual([model, { maxTokens: 100 }])
  })

  test.each([
    [400, 'ValidationException'],
    [429, 'ThrottlingException'],
    [529, 'overloaded_error'],
  ])('the error %i comes back', async (status, type) => {
    for (const [, ask] of ways) {
      const { recorded, replayed } = await recordAndReplay([cloud.error(status, type)], (url) =>
        outcomeOf(ask(cloud.messages(url), [question])),
      )
      expect(recorded.value).toMatchObject({ error: { status } })
      expect(withoutRequestId(replayed.value)).toEqual(withoutRequestId(recorded.value))
      expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
    }
  })

  const whole = cloud.stream({ content: [{ type: 'text', text: 'one two three four' }] })
  const begun = (whole.chunks ?? []).slice(0, 5)

  test.each<[string, FakeReply]>([
    ...cloud.broken.map((end, nth): [string, FakeReply] => [
      `an error (${nth})`,
      { ...whole, chunks: [...begun, end] },
    ]),
    ['a cut', { ...whole, cutAfter: 5 }],
  ])('a stream with %s breaks at the same place', async (_, reply) => {
    const { recorded, replayed } = await recordAndReplay([reply], async (url) => {
      const texts: string[] = []
      const end = await outcomeOf(
        (async () => {
          for await (const event of await cloud.messages(url).create({ ...params, stream: true }))
            if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') texts.push(event.delta.text)
        })(),
      )
      return { texts, end }
    })
    expect(recorded.value).toMatchObject({ texts: ['one t', 'wo th'], end: { error: {} } })
    expect(replayed.value).toEqual(recorded.value)
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  })

  test('another model or prompt is a miss', async () => {
    for (const change of [{ model: 'claude-haiku-4-5' }, { messages: [{ ...question, content: 'And in Rome?' }] }]) {
      const { replayed } = await recordAndReplay([cloud.reply(answer)], (url, { state }) =>
        outcomeOf(cloud.messages(url).create(state === 'recording' ? params : { ...params, ...change })),
      )
      expect(replayed.result.errors[0]?.message).toContain(Object.keys(change)[0] === 'model' ? 'model' : 'message')
      expect(replayed.value).toMatchObject({ error: { message: expect.stringContaining('[retake]') } })
    }
  })
})
