import type { JsonObject } from '@retake/trace'
import { expect, test } from 'vitest'
import type { Reply, WireError } from '../wire.ts'
import { ollamaChat as wire } from './wire.ts'

const utf8 = new TextEncoder()

const reply = (message: JsonObject, rest: JsonObject = {}): JsonObject => ({
  model: 'qwen3:8b',
  created_at: '2026-08-07T06:08:11.017589Z',
  message: { role: 'assistant', content: '', ...message },
  done: true,
  done_reason: 'stop',
  ...rest,
})
const line = (message: JsonObject): JsonObject => reply(message, { done: false, done_reason: null })

const readLines = (...lines: JsonObject[]) => {
  const reader = wire.openStream()
  for (const one of lines) reader.push(utf8.encode(`${JSON.stringify(one)}\n`))
  return reader.finish() as { reply: Reply; error: WireError }
}

const again = ({ turn, extras }: Reply, stream = false): JsonObject[] => {
  const request = { url: 'http://127.0.0.1:11434/api/chat', headers: {}, body: { model: 'm', stream } }
  const { body } = wire.writeReply(turn, { request, replyId: 'r', timestamp: Date.UTC(2026, 7, 7), extras })
  return [body].flat().map((text) => JSON.parse(String(text)))
}

const refused = (name: string, field: string) =>
  expect.objectContaining({ details: expect.objectContaining({ name, field }) })

test.each<[string, string, JsonObject]>([
  ['logprobs in the reply', 'logprobs', reply({ content: 'x' }, { logprobs: [{ token: 'x', logprob: -1 }] })],
  ['audio or image output', 'message.images', reply({ images: ['AAEC'] })],
])('%s is refused, as JSON and in a stream', (name, field, body) => {
  expect(() => wire.readReply(body)).toThrow(refused(name, field))
  expect(() => readLines(body)).toThrow(refused(name, field))
})

test('a reply that is not done is none', () => {
  expect(() => wire.readReply(line({ content: 'x' }))).toThrow(refused('unreadable reply', 'done'))
})

test('everything a reply says is in its replay', () => {
  const body = reply(
    {
      content: 'Let me look.',
      thinking: 'Hm.',
      mood: 'good',
      tool_calls: [
        { id: 'call_1', function: { index: 0, name: 'a', arguments: { z: 1, a: [2.5] }, description: 'A.' } },
        { function: { index: 1, name: 'b', arguments: {} }, type: 'function' },
      ],
    },
    {
      created_at: '2026-08-07T00:00:00.000Z',
      remote_model: 'gpt-oss:120b',
      total_duration: 7,
      prompt_eval_count: 3,
      eval_count: 2,
    },
  )
  expect(again(wire.readReply(body))).toEqual([body])
  const lines = again(readLines(body).reply, true)
  expect(readLines(...lines).reply).toMatchObject({ turn: wire.readReply(body).turn })
  expect(lines.at(-1)).toMatchObject({ remote_model: 'gpt-oss:120b', total_duration: 7, eval_count: 2, done: true })
})

test('a count that the server left out is left out', () => {
  const [written] = again(wire.readReply(reply({ content: 'x' }, { eval_count: 2 })))
  expect(written).not.toHaveProperty('prompt_eval_count')
  expect(written).toHaveProperty('eval_count', 2)
})

test.each(['load', 'unload', 'stop', 'length'])('the reason %s comes back', (reason) => {
  expect(again(wire.readReply(reply({}, { done_reason: reason })))[0]).toHaveProperty('done_reason', reason)
})

test('one line may hold thinking, text and calls', () => {
  const calls = [{ function: { index: 0, name: 'a', arguments: {} } }]
  const { turn } = readLines(line({ thinking: 'Hm.', content: 'Look.', tool_calls: calls }), reply({})).reply
  expect(turn.parts.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool_use'])
  expect(turn.stop).toBe('tools')
})

test('an error among the lines keeps what had come, and its own members', () => {
  expect(readLines(line({ content: 'The ord' }), { error: 'boom' }).error).toEqual({
    status: 200,
    kind: 'server',
    message: 'boom',
    parts: [{ type: 'text', text: 'The ord' }],
    afterParts: 0,
    chunks: [7],
  })
  const cloud = { error: 'unauthorized', signin_url: 'https://ollama.com/connect' }
  expect(readLines(cloud).error).toMatchObject({ message: 'unauthorized', error: cloud })
  expect(readLines({ StatusCode: 500, error: 'x' }).error.error).toEqual({ StatusCode: 500, error: 'x' })
})
