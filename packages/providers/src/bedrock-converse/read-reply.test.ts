import type { JsonObject } from '@retake/trace'
import { expect, test } from 'vitest'
import { formatEvent } from '../event-frames.ts'
import type { Reply, WireError } from '../wire.ts'
import { bedrockConverse as wire } from './wire.ts'

const reply = (content: JsonObject[], rest: JsonObject = {}): JsonObject => ({
  output: { message: { role: 'assistant', content } },
  stopReason: 'end_turn',
  usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
  metrics: { latencyMs: 7 },
  ...rest,
})

const readEvents = (...events: [string, JsonObject][]) => {
  const reader = wire.openStream()
  for (const [type, payload] of events) reader.push(formatEvent(type, payload))
  return reader.finish() as { reply: Reply; error: WireError }
}

const again = ({ turn, extras }: Reply): JsonObject => {
  const request = { url: 'https://x.test/model/m/converse', headers: {}, body: {} }
  return JSON.parse(String(wire.writeReply(turn, { request, replyId: 'r', timestamp: 0, extras }).body))
}

const refused = (name: string) => expect.objectContaining({ details: expect.objectContaining({ name }) })

test('everything a reply says is in its replay', () => {
  const body = reply(
    [
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'AAEC' } },
      { text: 'Let me look.' },
      { toolUse: { toolUseId: 't1', name: 'lookup', input: { n: 1 } } },
    ],
    {
      stopReason: 'tool_use',
      usage: {
        inputTokens: 3,
        outputTokens: 2,
        totalTokens: 45,
        cacheReadInputTokens: 40,
        cacheWriteInputTokens: 0,
        cacheDetails: [{ ttl: '5m', inputTokens: 40 }],
      },
      additionalModelResponseFields: { stop_sequence: null },
      trace: { guardrail: { actionReason: 'none' } },
      serviceTier: { type: 'priority' },
    },
  )
  expect(again(wire.readReply(body))).toEqual(body)
})

test.each([
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'content_filtered',
  'guardrail_intervened',
  'malformed_model_output',
  'malformed_tool_use',
  'model_context_window_exceeded',
  'a_word_of_the_future',
])('the reason %s comes back', (stopReason) => {
  expect(again(wire.readReply(reply([{ text: 'x' }], { stopReason })))).toHaveProperty('stopReason', stopReason)
})

test.each<[string, JsonObject]>([
  ['citations, annotations, search results, grounding', { citationsContent: { content: [{ text: 'x' }] } }],
  ['audio or image output', { image: { format: 'png', source: { bytes: 'AAEC' } } }],
  [
    'hosted/server tools and their blocks',
    { toolUse: { toolUseId: 't', name: 'x', input: {}, type: 'server_tool_use' } },
  ],
  ['hosted/server tools and their blocks', { toolResult: { toolUseId: 't', content: [] } }],
  ['unreadable reply', { hologram: {} }],
  ['unreadable reply', {}],
])('%s is refused', (name, block) => {
  expect(() => wire.readReply(reply([block]))).toThrow(refused(name))
})

test.each<[string, string, JsonObject]>([
  ['citations, annotations, search results, grounding', 'contentBlockDelta', { delta: { citation: { title: 'A' } } }],
  ['audio or image output', 'contentBlockStart', { start: { image: { format: 'png' } } }],
  ['hosted/server tools and their blocks', 'contentBlockStart', { start: { toolResult: { toolUseId: 't' } } }],
])('%s is refused in a stream', (name, type, payload) => {
  expect(() => readEvents([type, { contentBlockIndex: 0, ...payload }], ['metadata', {}])).toThrow(refused(name))
})

test('a stream may end without its counts, but not without its reason', () => {
  const said: [string, JsonObject] = ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }]
  expect(readEvents(said, ['messageStop', { stopReason: 'end_turn' }]).reply.turn.stop).toBe('end')
  expect(readEvents(said).error).toMatchObject({ kind: 'cut', parts: [{ type: 'text', text: 'Hi' }], afterParts: 0 })
})

test('events of later versions are skipped, as the clients of AWS skip them', () => {
  const { reply: read } = readEvents(
    ['heartbeat', { n: 1 }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }],
    ['messageStop', { stopReason: 'max_tokens' }],
    ['metadata', { usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 } }],
  )
  expect(read).toMatchObject({ turn: { stop: 'length' }, extras: { tokens: { input: 1, output: 2 } } })
})

test('a header names the error, and a wait is told in milliseconds', () => {
  const headers = { 'x-amzn-errortype': 'ThrottlingException:http://x/', 'x-amz-retry-after': '1500' }
  expect(wire.readError(429, headers, '{"message":"Slow down"}')).toEqual({
    status: 429,
    kind: 'rate_limit',
    message: 'Slow down',
    type: 'ThrottlingException',
    retryAfterMs: 1500,
    retryAfterIn: 'ms',
  })
})
