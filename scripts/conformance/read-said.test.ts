import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { startFakeProvider } from '../../test/support/fake-provider/fake-provider.ts'
import { readTraffic, trafficBytes, trafficReply } from '../../test/support/fake-provider/traffic.ts'
import { readSaid } from './read-said.ts'

const chatUrl = 'https://api.openai.com/v1/chat/completions'
const messagesUrl = 'https://api.anthropic.com/v1/messages'
const exchanges = await readTraffic(join(import.meta.dirname, 'fixtures/exchanges.jsonl'))

const exchange = (name: string) => {
  const found = exchanges.find(({ run }) => run.includes(name))
  if (found === undefined) throw new Error(`no exchange ${name}`)
  return found
}

const said = (name: string) => {
  const { endpoint, response } = exchange(name)
  const body = Buffer.from(trafficBytes(response)).toString()
  return readSaid(endpoint === 'messages' ? messagesUrl : chatUrl, { ...response, body })
}

const sse = (url: string, ...events: string[]) =>
  readSaid(url, { status: 200, headers: { 'content-type': 'text/event-stream' }, body: `${events.join('\n\n')}\n\n` })
const json = (url: string, body: unknown, status = 200) =>
  readSaid(url, { status, headers: {}, body: JSON.stringify(body) })

describe('on real bodies', () => {
  test('reads two parallel calls of a chat completion with the argument text as it was written', () => {
    expect(said('test_tool_call_with_function')).toMatchObject({
      status: 200,
      parts: [
        { type: 'call', name: 'multiply', text: '{"a": 3, "b": 12}', value: { a: 3, b: 12 } },
        { type: 'call', name: 'add', text: '{"a": 11, "b": 49}', value: { a: 11, b: 49 } },
      ],
      stop: 'tool_calls',
      carries: [],
      error: null,
    })
  })

  test('reads two parallel calls of a chat stream', () => {
    expect(said('parallel_tools_and_capture')).toMatchObject({
      parts: [
        { type: 'call', name: 'get_weather', text: '{"location": "New York City"}' },
        { type: 'call', name: 'get_weather', text: '{"location": "London"}' },
      ],
      stop: 'tool_calls',
      complete: true,
    })
  })

  test('reads a refusal apart from text', () => {
    expect(said('test_parsed_refused_completion')).toMatchObject({
      parts: [{ type: 'refusal', text: "I'm very sorry, but I can't assist with that request." }],
      stop: 'stop',
    })
  })

  test('reads a call whose arguments are null as a call without argument text', () => {
    expect(said('variant_d').parts).toMatchObject([{ name: 'llm_version', text: '', value: undefined }])
  })

  test('keeps thinking apart from what a message says', () => {
    expect(said('anthropic_completion_thinking_tools')).toMatchObject({
      parts: [
        { type: 'reasoning', text: 'I need to use the get_weather tool to answer this question.' },
        { type: 'call', name: 'get_weather', value: { location: 'San Francisco, CA' } },
      ],
      stop: 'tool_use',
    })
  })

  test('reads text and two calls of a messages stream in order', () => {
    expect(said('multiple_tool_calling_streaming')).toMatchObject({
      parts: [
        { type: 'text', text: "I'll check both the current weather and time in New York simultaneously right away!" },
        { type: 'call', name: 'get_weather', text: '{"location": "New York, NY"}' },
        { type: 'call', name: 'get_time', text: '{"timezone": "America/New_York"}' },
      ],
      stop: 'tool_use',
      complete: true,
    })
  })

  test('reads a streamed call without arguments as an empty object, as the SDK does', () => {
    expect(said('test_stream_events_tool_calls').parts).toMatchObject([
      { name: 'pelican_name_generator', text: '{}', value: {} },
    ])
  })

  test('reads status, type, code and message of a failure', () => {
    expect(said('test_model_name_suggestion')).toMatchObject({
      status: 404,
      parts: [],
      error: {
        type: 'invalid_request_error',
        code: 'model_not_found',
        message: 'The model `gpt-5.2-proo` does not exist or you do not have access to it.',
      },
    })
  })

  test('agrees with the streaming helpers of both SDKs', async () => {
    const chat = exchange('parallel_tools_and_capture')
    const messages = exchange('multiple_tool_calling_streaming')
    await using provider = await startFakeProvider({ replies: [trafficReply(chat), trafficReply(messages)] })

    const completion = await new OpenAI({ apiKey: 'x', baseURL: `${provider.url}/v1` }).chat.completions
      .stream({ model: 'm', messages: [] })
      .finalChatCompletion()
    const calls = completion.choices[0]?.message.tool_calls?.map((call) => 'function' in call && call.function)
    expect(said('parallel_tools_and_capture').parts).toMatchObject(
      (calls ?? []).map((call) => call && { name: call.name, text: call.arguments }),
    )

    const message = await new Anthropic({ apiKey: 'x', baseURL: provider.url }).messages
      .stream({ model: 'm', max_tokens: 1, messages: [] })
      .finalMessage()
    expect(said('multiple_tool_calling_streaming').parts).toMatchObject(
      message.content.map((block) =>
        block.type === 'tool_use' ? { name: block.name, value: block.input } : { text: 'text' in block && block.text },
      ),
    )
  })
})

test('reads an error inside a chat stream, and that the stream stopped there', () => {
  const start = 'data: {"choices":[{"index":0,"delta":{"content":"Half"},"finish_reason":null}]}'
  const error = 'event: error\ndata: {"error":{"message":"overloaded","type":"server_error","code":503}}'
  expect(sse(chatUrl, start, error)).toMatchObject({
    parts: [{ text: 'Half' }],
    error: { message: 'overloaded', type: 'server_error', code: '503' },
  })
})

test('calls a stream without its terminator incomplete, unless the reason to stop was given', () => {
  const text = 'data: {"choices":[{"index":0,"delta":{"content":"Half"},"finish_reason":null}]}'
  const stop = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
  expect(sse(chatUrl, text).complete).toBe(false)
  expect(sse(chatUrl, text, stop)).toMatchObject({ complete: true, stop: 'stop' })
  expect(sse(chatUrl, text, 'data: [DONE]').complete).toBe(true)
  expect(sse(messagesUrl, 'event: message_start\ndata: {"type":"message_start"}').complete).toBe(false)
})

test('takes calls that share an index but not an id for different calls', () => {
  const call = (id: string) =>
    `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"${id}","function":{"name":"f","arguments":"{}"}}]}}]}`
  expect(sse(chatUrl, call('a'), call('b')).parts).toMatchObject([{ id: 'a' }, { id: 'b' }])
})

test('reads a custom tool of a chat completion with its input as text', () => {
  const message = {
    content: null,
    tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'sql', input: 'SELECT 1' } }],
  }
  expect(json(chatUrl, { choices: [{ message, finish_reason: 'tool_calls' }] }).parts).toEqual([
    { type: 'call', name: 'sql', text: 'SELECT 1', value: 'SELECT 1', custom: true, id: 'c' },
  ])
})

test('notices what a reply carries beside text and calls', () => {
  const choice = (more: object) => ({ choices: [{ message: { content: 'a', ...more }, finish_reason: 'stop' }] })
  expect(json(chatUrl, choice({ annotations: [] })).carries).toEqual([])
  expect(json(chatUrl, choice({ annotations: [{ type: 'url_citation' }] })).carries).toEqual(['annotations'])
  expect(json(chatUrl, { ...choice({}), citations: ['https://a'] }).carries).toEqual(['citations'])
  expect(json(chatUrl, { choices: [choice({}).choices[0], choice({}).choices[0]] }).carries).toEqual([
    'several choices',
  ])
  expect(json(messagesUrl, { content: [{ type: 'server_tool_use', id: 's' }] }).parts).toEqual([
    { type: 'other', kind: 'server_tool_use' },
  ])
})

test('lists thinking that the provider hid, so that its loss shows', () => {
  const content = [
    { type: 'redacted_thinking', data: 'b64' },
    { type: 'text', text: 'a' },
  ]
  expect(json(messagesUrl, { content })).toMatchObject({
    parts: [{ type: 'reasoning', text: '[redacted] b64' }, { text: 'a' }],
  })
})

test.each([
  [{ error: { message: 'm', type: 't', code: 1 } }, { message: 'm', type: 't', code: '1' }],
  [
    { type: 'error', error: { type: 't', message: 'm' } },
    { message: 'm', type: 't', code: null },
  ],
  [{ error: 'm' }, { message: 'm', type: null, code: null }],
  [{ detail: 'm' }, { message: 'm', type: null, code: null }],
  [
    { message: 'm', type: 't' },
    { message: 'm', type: 't', code: null },
  ],
])('reads the error of %j', (body, error) => {
  expect(json(chatUrl, body, 400).error).toEqual(error)
})

test('reads a failure that is no JSON as its text', () => {
  const said = readSaid(chatUrl, {
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<h1>Bad Gateway</h1>\n',
  })
  expect(said).toMatchObject({ status: 502, error: { message: '<h1>Bad Gateway</h1>' } })
})

test('refuses a body that is not what the endpoint answers with', () => {
  expect(() => json(chatUrl, { ok: true })).toThrow('a chat completion without choices')
  expect(() => readSaid(messagesUrl, { status: 200, headers: {}, body: '' })).toThrow('the body is no JSON')
  expect(() => sse(chatUrl, 'data: {"choices')).toThrow('an event that is no JSON object')
})
