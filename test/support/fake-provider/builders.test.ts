import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { anthropicError, anthropicErrorEvent, anthropicJson, anthropicReply, anthropicStream } from './anthropic.ts'
import { chatCall, chatError, chatReply } from './chat.ts'
import { type FakeProvider, startFakeProvider } from './fake-provider.ts'
import { geminiBlocked, geminiError, geminiReply } from './gemini.ts'

const openai = ({ url }: FakeProvider) => new OpenAI({ apiKey: 'test', baseURL: `${url}/v1`, maxRetries: 0 })
const anthropic = ({ url }: FakeProvider) => new Anthropic({ apiKey: 'test', baseURL: url, maxRetries: 0 })
const genai = ({ url }: FakeProvider) => new GoogleGenAI({ apiKey: 'test', httpOptions: { baseUrl: url } }).models
const question = [{ role: 'user' as const, content: 'Where is A-77?' }]

test('openai reads a turn the same from JSON and from a stream in pieces', async () => {
  const turn = {
    content: 'Let me look – ünïcode 🙂.',
    tool_calls: [chatCall('call_1', 'lookupOrder', { orderId: 'A-77' }), chatCall('call_2', 'refund', '{ "eur": 20 }')],
  }
  await using provider = await startFakeProvider({ replies: [chatReply(turn), chatReply(turn, { pieces: 5 })] })
  const client = openai(provider)

  const plain = await client.chat.completions.create({ model: 'gpt-5', messages: question })
  const streamed = await client.chat.completions
    .stream({ model: 'gpt-5', messages: question, stream_options: { include_usage: true } })
    .finalChatCompletion()

  for (const completion of [plain, streamed]) {
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: turn.content, refusal: null, tool_calls: turn.tool_calls },
    })
    expect(completion.usage?.completion_tokens).toBe(17)
  }
})

test('openai reads a refusal and a length stop', async () => {
  await using provider = await startFakeProvider({
    replies: [chatReply({ refusal: 'No.' }), chatReply({ content: 'Once upon', finish_reason: 'length' })],
  })
  const client = openai(provider)
  const refused = await client.chat.completions.create({ model: 'gpt-5', messages: question })
  const cut = await client.chat.completions.create({ model: 'gpt-5', messages: question })
  expect(refused.choices[0]?.message).toMatchObject({ content: null, refusal: 'No.' })
  expect(cut.choices[0]?.finish_reason).toBe('length')
})

test('openai raises its own error for a failing status', async () => {
  await using provider = await startFakeProvider({
    replies: [chatError(429, { message: 'slow down', type: 'rate_limit' }, { 'retry-after': '7' })],
  })
  const error = await openai(provider)
    .chat.completions.create({ model: 'gpt-5', messages: question })
    .catch((e: unknown) => e)
  expect(error).toBeInstanceOf(OpenAI.RateLimitError)
  expect(error).toMatchObject({ status: 429, type: 'rate_limit', requestID: 'req_f4k3' })
})

test('anthropic reads a turn the same from JSON and from a stream in pieces', async () => {
  const turn = {
    content: [
      { type: 'thinking' as const, thinking: 'An order id.', signature: 'c2ln' },
      { type: 'text' as const, text: 'Let me look – ünïcode 🙂.' },
      {
        type: 'tool_use' as const,
        id: 'toolu_1',
        name: 'lookupOrder',
        input: { orderId: 'A-77', nested: { deep: [1] } },
      },
    ],
  }
  await using provider = await startFakeProvider({
    replies: [anthropicReply(turn), anthropicReply(turn, { pieces: 4 })],
  })
  const client = anthropic(provider)
  const params = { model: 'claude-sonnet-5-5', max_tokens: 100, messages: question }

  const plain = await client.messages.create(params)
  const streamed = await client.messages.stream(params).finalMessage()

  for (const message of [plain, streamed]) {
    const [thinking, text, call] = turn.content
    expect(message.content).toEqual([thinking, text, { ...call, caller: { type: 'direct' } }])
    expect([message.stop_reason, message.usage.output_tokens]).toEqual(['tool_use', 17])
  }
})

test('anthropic reads a stop sequence', async () => {
  await using provider = await startFakeProvider({
    replies: [
      anthropicJson({ content: [{ type: 'text', text: 'a' }], stop_reason: 'stop_sequence', stop_sequence: 'END' }),
    ],
  })
  const message = await anthropic(provider).messages.create({ model: 'm', max_tokens: 9, messages: question })
  expect([message.stop_reason, message.stop_sequence]).toEqual(['stop_sequence', 'END'])
})

test('anthropic raises its own errors for a failing status and inside a stream', async () => {
  const start = anthropicStream({ content: [{ type: 'text', text: 'Half' }] }).chunks ?? []
  await using provider = await startFakeProvider({
    replies: [
      anthropicError(529, 'overloaded_error', 'Overloaded'),
      { chunks: [...start.slice(0, 4), anthropicErrorEvent('overloaded_error', 'Overloaded')] },
    ],
  })
  const client = anthropic(provider)
  const params = { model: 'm', max_tokens: 9, messages: question }
  await expect(client.messages.create(params)).rejects.toMatchObject({ status: 529 })
  await expect(client.messages.stream(params).finalMessage()).rejects.toThrow('Overloaded')
})

test('genai reads a turn the same from JSON and from a stream in pieces', async () => {
  const turn = {
    parts: [
      { text: 'An order id.', thought: true as const },
      { text: 'Let me look – ünïcode 🙂.' },
      { functionCall: { id: 'f1', name: 'lookupOrder', args: { orderId: 'A-77' } }, thoughtSignature: 'c2ln' },
    ],
  }
  await using provider = await startFakeProvider({ replies: [geminiReply(turn), geminiReply(turn, { pieces: 4 })] })
  const params = { model: 'gemini-3-pro', contents: 'Where is A-77?' }
  const plain = await genai(provider).generateContent(params)
  const streamed = []
  for await (const response of await genai(provider).generateContentStream(params)) streamed.push(response)

  expect(plain.candidates?.[0]).toMatchObject({ content: { parts: turn.parts }, finishReason: 'STOP' })
  const parts = streamed.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const said = (thought: boolean) =>
    parts.flatMap((part) => (part.text && (part.thought ?? false) === thought ? [part.text] : [])).join('')
  expect([said(true), said(false)]).toEqual(['An order id.', 'Let me look – ünïcode 🙂.'])
  expect(parts.filter(({ functionCall }) => functionCall)).toEqual([turn.parts[2]])
  expect(streamed.at(-1)?.candidates?.[0]?.finishReason).toBe('STOP')
})

test('genai reads a blocked prompt, and raises its own error for a failing status', async () => {
  await using provider = await startFakeProvider({
    replies: [geminiBlocked('SAFETY'), geminiError(503, 'UNAVAILABLE', 'The model is overloaded.')],
  })
  const ask = () => genai(provider).generateContent({ model: 'gemini-3-pro', contents: 'Hi' })
  expect((await ask()).promptFeedback?.blockReason).toBe('SAFETY')
  const error = await ask().catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 503, message: expect.stringContaining('The model is overloaded.') })
})
