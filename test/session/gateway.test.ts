import { createGateway, generateText, isStepCount, jsonSchema, type ModelMessage, streamText, tool } from 'ai'
import { expect, test } from 'vitest'
import {
  type GatewayTurn,
  gatewayError,
  gatewayEvent,
  gatewayReply,
  gatewayStream,
} from '../support/fake-provider/gateway.ts'
import { outcomeOf, recordAndReplay } from './record-and-replay.ts'

/** What an agent sees of Vercel's AI Gateway through the AI SDK. */

const modelAt = (url: string, name = 'anthropic/claude-sonnet-4-5') =>
  createGateway({ apiKey: 'key-for-tests', baseURL: `${url}/v4/ai` })(name)

const tools = {
  get_weather: tool({
    description: 'Tells the weather.',
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
    execute: async ({ city }) => ({ city, celsius: 18 }),
  }),
}
const look: GatewayTurn = {
  content: [
    { type: 'reasoning', text: 'Which city?', providerMetadata: { anthropic: { signature: 'c2ln' } } },
    { type: 'text', text: 'Let me look – 日本 😀.' },
    { type: 'tool-call', toolCallId: 'toolu_01', toolName: 'get_weather', input: '{"city":"Paris"}' },
  ],
}
const answer: GatewayTurn = { content: [{ type: 'text', text: 'It is 18 °C.' }] }
const options = { prompt: 'What is it like in Paris?', tools, stopWhen: isStepCount(3), maxRetries: 0 }

const asJson = async (url: string) => {
  const { steps } = await generateText({ model: modelAt(url), ...options })
  return steps.map(
    ({ text, reasoningText, toolCalls, toolResults, finishReason, rawFinishReason, usage, providerMetadata }) => [
      { text, reasoningText, finishReason, rawFinishReason, usage, providerMetadata },
      toolCalls.map(({ toolName, input }) => [toolName, input]),
      toolResults.map(({ output }) => output),
    ],
  )
}

const asStream = async (url: string) => {
  const { stream } = streamText({ model: modelAt(url), ...options })
  const parts: unknown[] = []
  for await (const part of stream) {
    const { type, text, finishReason, usage, error } = part as Record<string, unknown>
    parts.push({ type, text, finishReason, usage: type === 'finish' ? usage : undefined, error })
  }
  return parts
}

test.each([
  ['generateText', asJson],
  ['streamText', asStream],
])('%s sees in a replay what it saw', async (_, agent) => {
  const replies = [look, answer].map((turn) => gatewayReply(turn, { pieces: 3 }))
  const { recorded, replayed, requests } = await recordAndReplay(replies, agent)
  expect(requests).toBe(2)
  expect(JSON.stringify(recorded.value)).toContain('°C.')
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], liveCalls: 0, unused: 0 })
  const { model, params } = Object(recorded.cassette.trace.steps[0]?.payload)
  expect([model, params]).toEqual(['anthropic/claude-sonnet-4-5', undefined])
})

test.each([
  [400, 'invalid_request_error', 'Bad request.'],
  [401, 'authentication_error', 'No key.'],
  [404, 'model_not_found', 'No such model.'],
  [429, 'rate_limit_exceeded', 'Slow down.'],
  [500, 'internal_server_error', 'Oops.'],
])('the error %i %s comes back', async (status, type, message) => {
  const { recorded, replayed } = await recordAndReplay([gatewayError(status, type, message)], (url) =>
    outcomeOf(generateText({ model: modelAt(url), ...options })),
  )
  expect(recorded.value).toHaveProperty('error')
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

const whole = gatewayStream({ content: [{ type: 'text', text: 'one two three four' }] }, { pieces: 4, pauseMs: 10 })
const begun = (whole.chunks ?? []).slice(0, 5)
const failure = gatewayEvent({ type: 'error', error: { message: 'Overloaded', type: 'overloaded_error' } })

test.each([
  ['an error among its parts', { ...whole, chunks: [...begun, failure] }],
  ['a cut', { ...whole, cutAfter: 5 }],
])('a stream with %s breaks at the same place', async (_, reply) => {
  const agent = async (url: string) => {
    const { stream } = streamText({ model: modelAt(url), ...options, onError: () => {} })
    const texts: string[] = []
    let failed: unknown
    try {
      for await (const part of stream) {
        if (part.type === 'text-delta') texts.push(part.text)
        if (part.type === 'error') failed = String(Object(part.error).message ?? part.error)
      }
    } catch (error) {
      failed = String(error)
    }
    return { texts, failed }
  }
  const { recorded, replayed } = await recordAndReplay([reply], agent)
  expect(recorded.value).toMatchObject({ texts: ['one t', 'wo th'], failed: expect.any(String) })
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

const image = (data: string): ModelMessage => ({
  role: 'user',
  content: [{ type: 'file', mediaType: 'image/png', data: Buffer.from(data) }],
})
const marks = { anthropic: { cacheControl: { type: 'ephemeral' } } }

test.each<[string, string | undefined, object]>([
  ['model', 'openai/gpt-5', {}],
  ['params.maxTokens', undefined, { maxOutputTokens: 9 }],
  ['params.providerOptions', undefined, { providerOptions: { openai: { reasoningEffort: 'high' } } }],
  ['messages[0]', undefined, { messages: [image('another')] }],
  ['', undefined, { messages: [{ ...image('an image'), providerOptions: marks }], headers: { 'x-team': 'a' } }],
])('another %s is a miss, and marks and headers are none', async (path, name, change) => {
  const base = { messages: [image('an image')], maxRetries: 0 }
  const { replayed } = await recordAndReplay([gatewayReply(answer)], (url, { state }) =>
    outcomeOf(
      state === 'recording'
        ? generateText({ model: modelAt(url), ...base })
        : generateText({ model: modelAt(url, name), ...base, ...change }),
    ),
  )
  if (path === '') expect(replayed.result.errors).toEqual([])
  else expect(replayed.result.errors[0]?.message).toContain(path)
})
