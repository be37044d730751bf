import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue, ModelInput } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { openaiChat } from './wire.ts'

const url = 'https://api.openai.com/v1/chat/completions'
const user = { role: 'user', content: 'Where is A-77?' }

const read = (body: JsonObject, at = url): ModelInput =>
  openaiChat.readRequest({ url: at, headers: {}, body: { model: 'gpt-5', messages: [user], ...body } })

const readMessages = (...messages: JsonValue[]) => read({ messages })

const call = (id: string, args: string, name = 'lookup') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const lookup = {
  type: 'function',
  function: { name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } },
}

describe('instructions', () => {
  test('of leading system and developer messages are one prompt', () => {
    expect(
      readMessages(
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
        user,
      ),
    ).toMatchObject({ systemPrompt: 'Be brief.\n\nBe kind.', messages: [user] })
  })

  test('that come later stay where they are', () => {
    expect(readMessages(user, { role: 'developer', content: 'Now in French.' })).toMatchObject({
      messages: [user, { role: 'system', content: 'Now in French.' }],
    })
  })

  test('with a name stay messages', () => {
    expect(readMessages({ role: 'system', content: 'x', name: 'example' }, user)).not.toHaveProperty('systemPrompt')
  })
})

describe('messages', () => {
  test('keep a name, and text in blocks is one text', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b', cache_control: { type: 'ephemeral' } },
    ]
    expect(readMessages({ role: 'user', content, name: 'Ann' }).messages).toEqual([
      { role: 'user', content: 'a\n\nb', name: 'Ann' },
    ])
  })

  test('of an assistant drop thinking and what replies only show, and keep text, refusal and calls', () => {
    const shown = {
      reasoning_content: 'Hm.',
      reasoning: 'Hm.',
      reasoning_details: [{}],
      annotations: [],
      parsed: {},
      refusal: null,
    }
    expect(
      readMessages(user, { role: 'assistant', content: null, tool_calls: [call('call_1', '{"id":"A"}')], ...shown }),
    ).toEqual(
      readMessages(user, {
        role: 'assistant',
        content: '',
        tool_calls: [{ ...call('call_1', '{"id":"A"}'), index: 0 }],
      }),
    )
    expect(readMessages({ role: 'assistant', content: 'x', refusal: 'No.' }).messages).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'x' },
          { type: 'refusal', text: 'No.' },
        ],
      },
    ])
  })

  test('may repeat in a text what stands in the message, as the Agents SDK writes them', () => {
    const reply = { role: 'assistant', refusal: null, annotations: [], reasoning_content: 'Hm.' }
    const tool_calls = [call('call_1', '{"id":"A"}')]
    const text = { type: 'text', text: 'Let me look.' }
    expect(readMessages(user, { role: 'assistant', content: [{ ...text, ...reply, tool_calls }], tool_calls })).toEqual(
      readMessages(user, { role: 'assistant', content: [text], tool_calls }),
    )
    const strange = readMessages({ ...user, content: [{ ...text, tool_calls }] })
    expect(strange.params?.other).toEqual({ 'messages[0].content[0].tool_calls': tool_calls })
  })

  test('with results of parallel calls are one turn, each with the name of its call', () => {
    const { messages } = readMessages(
      { role: 'assistant', content: null, tool_calls: [call('call_1', '{}'), call('call_2', '{}', 'refund')] },
      { role: 'tool', tool_call_id: 'call_2', content: 'done' },
      { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'text', text: 'late' }] },
      { role: 'tool', tool_call_id: 'call_9', content: '?' },
    )
    expect(messages[1]).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', toolCallId: 'call_2', toolName: 'refund', result: 'done' },
        { type: 'tool_result', toolCallId: 'call_1', toolName: 'lookup', result: 'late' },
        { type: 'tool_result', toolCallId: 'call_9', toolName: 'unknown', result: '?' },
      ],
    })
  })

  test.each([
    ['{"id":"A"}', { toolInput: { id: 'A' } }],
    ['{"id": "A"}', { toolInput: { id: 'A' }, inputText: '{"id": "A"}' }],
    ['{"a":1,"a":2}', { toolInput: { a: 2 }, inputText: '{"a":1,"a":2}' }],
    ['{"n":1.0}', { toolInput: { n: 1 }, inputText: '{"n":1.0}' }],
    ['{"id":"A', { toolInput: '{"id":"A', inputText: '{"id":"A' }],
    ['"{}"', { toolInput: '"{}"', inputText: '"{}"' }],
    ['', { toolInput: {}, inputText: '' }],
    ['[1]', { toolInput: [1] }],
  ])('read the arguments %j', (args, expected) => {
    const { messages } = readMessages({ role: 'assistant', content: null, tool_calls: [call('call_1', args)] })
    expect(messages[0]?.content).toEqual([{ type: 'tool_use', toolCallId: 'call_1', toolName: 'lookup', ...expected }])
  })

  test('with a custom call keep its string', () => {
    const custom = { id: 'call_1', type: 'custom', custom: { name: 'run', input: '{"x": 1}' } }
    expect(readMessages({ role: 'assistant', content: null, tool_calls: [custom] }).messages[0]?.content).toEqual([
      { type: 'tool_use', toolCallId: 'call_1', toolName: 'run', toolInput: '{"x": 1}', kind: 'custom' },
    ])
  })

  test('keep what nobody knows by its path', () => {
    expect(readMessages(user, { role: 'assistant', content: 'Sure', prefix: true }).params).toEqual({
      other: { 'messages[1].prefix': true },
    })
    expect(readMessages(user, { role: 'assistant', content: 'Sure', prefix: false }).params).toBeUndefined()
    expect(readMessages({ role: 'user', content: [{ type: 'hologram', data: 'x' }] }).params).toEqual({
      other: { 'messages[0].content[0]': { type: 'hologram', data: 'x' } },
    })
  })
})

describe('media', () => {
  const bytes = Buffer.from([1, 2, 3, 250])
  const base64 = bytes.toString('base64')
  const digest = { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: 4 }
  const part = (content: JsonObject) => readMessages({ role: 'user', content: [content] }).messages[0]?.content[0]

  test.each<[string, JsonObject, object]>([
    [
      'an image',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}`, detail: 'auto' } },
      { mediaType: 'image/png', ...digest },
    ],
    [
      'an image with a detail',
      { type: 'image_url', image_url: { url: `data:image/png;base64,${base64}`, detail: 'low' } },
      { mediaType: 'image/png', ...digest, options: { detail: 'low' } },
    ],
    [
      'an address',
      { type: 'image_url', image_url: { url: 'https://x.test/a.png' } },
      { mediaType: 'image/*', ref: 'https://x.test/a.png' },
    ],
    [
      'a bare address',
      { type: 'image_url', image_url: 'https://x.test/a.png' },
      { mediaType: 'image/*', ref: 'https://x.test/a.png' },
    ],
    [
      'sound',
      { type: 'input_audio', input_audio: { data: base64, format: 'wav' } },
      { mediaType: 'audio/wav', ...digest },
    ],
    [
      'a file',
      { type: 'file', file: { file_data: `data:application/pdf;base64,${base64}`, filename: 'a.pdf' } },
      { mediaType: 'application/pdf', ...digest, options: { filename: 'a.pdf' } },
    ],
    ['a file id', { type: 'file', file: { file_id: 'file-1' } }, { mediaType: 'application/*', ref: 'file-1' }],
  ])('%s', (_, content, expected) => {
    expect(part(content)).toEqual({ type: 'media', ...expected })
  })
})

describe('tools', () => {
  test('have a name, a description and a schema without its dialect', () => {
    const parameters = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }
    const sent = { ...lookup, function: { ...lookup.function, parameters, strict: false } }
    const expected = [{ name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' } }]
    expect(read({ tools: [sent] }).tools).toEqual(expected)
    expect(read({ tools: [{ ...lookup, cache_control: { type: 'ephemeral' } }] }).tools).toEqual(expected)
  })

  test('keep strict and what nobody knows', () => {
    const sent = { ...lookup, function: { ...lookup.function, strict: true }, timeout: 3 }
    expect(read({ tools: [sent] }).tools[0]?.options).toEqual({ strict: true, timeout: 3 })
  })

  test('may take one string', () => {
    const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } }
    expect(read({ tools: [{ type: 'custom', custom: { name: 'run', format } }] }).tools).toEqual([
      { name: 'run', description: '', kind: 'custom', options: { format } },
    ])
    const plain = { type: 'custom', custom: { name: 'run', format: { type: 'text' } } }
    expect(read({ tools: [plain] }).tools).toEqual([{ name: 'run', description: '', kind: 'custom' }])
  })
})

describe('controls', () => {
  test('have neutral names, and defaults are nothing', () => {
    const controls = {
      temperature: 0.2,
      top_p: 1,
      seed: 7,
      stop: ['x'],
      reasoning_effort: 'low',
      parallel_tool_calls: false,
    }
    const defaults = { n: 1, tool_choice: 'auto', stop: null, logit_bias: {}, modalities: ['text'], logprobs: false }
    expect(read(controls).params).toEqual({
      temperature: 0.2,
      topP: 1,
      seed: 7,
      stop: ['x'],
      reasoningEffort: 'low',
      parallelToolCalls: false,
    })
    expect(read(defaults).params).toBeUndefined()
  })

  test('max_tokens and max_completion_tokens are one; of both the newer counts and the older is kept', () => {
    expect(read({ max_tokens: 9 })).toEqual(read({ max_completion_tokens: 9 }))
    expect(read({ max_tokens: 9, max_completion_tokens: 8 }).params).toEqual({ maxTokens: 8, other: { max_tokens: 9 } })
  })

  test('of the shape of the answer lose only the dialect of the schema and an unset strict', () => {
    const format = (schema: object, rest: object = {}) =>
      read({
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema, ...rest } },
      } as JsonObject)
    expect(format({ $schema: 'x', type: 'object' }, { strict: null })).toEqual(format({ type: 'object' }))
    expect(format({ type: 'object' }, { strict: true })).not.toEqual(format({ type: 'object' }))
  })

  test('that are ignored change nothing', () => {
    const ignored = {
      stream: true,
      stream_options: { include_usage: true },
      metadata: { a: 'b' },
      user: 'u',
      safety_identifier: 's',
      service_tier: 'flex',
      store: true,
      prompt_cache_key: 'k',
      prompt_cache_options: {},
      prompt_cache_retention: '24h',
    }
    expect(read(ignored)).toEqual(read({}))
  })
})

test('the model is in the path of an Azure deployment, where the body has none', () => {
  const at = 'https://x.openai.azure.com/openai/deployments/my%20gpt/chat/completions?api-version=2024-10-21'
  const { model: _, ...body } = { model: '', messages: [user] }
  expect(openaiChat.matchesBody(body, new URL(at))).toBe(true)
  expect(openaiChat.matchesBody(body, new URL(url))).toBe(false)
  expect(openaiChat.readRequest({ url: at, headers: {}, body }).model).toBe('my gpt')
})

test('of Azure the deployment and the version of the API are compared, whatever the body calls the model', () => {
  const at = 'https://x.openai.azure.com/openai/deployments/east/chat/completions?api-version=2024-10-21'
  expect(read({}, at)).toMatchObject({
    model: 'gpt-5',
    params: { other: { deployment: 'east', 'api-version': '2024-10-21' } },
  })
  expect(read({ model: 'east' }, at).params).toEqual({ other: { 'api-version': '2024-10-21' } })
})

test('a member of a type it cannot have, or against its call, is kept like one that nobody knows', () => {
  const calls = [call('c', '{}'), { ...call('d', '{}'), id: 7 }]
  const tool = { role: 'tool', tool_call_id: 'c', name: 'other', content: '' }
  const messages = [user, { role: 'assistant', content: 'x', name: 1, refusal: 2, tool_calls: calls }, tool]
  expect(read({ messages, tools: 3 }).params?.other).toEqual({
    tools: 3,
    'messages[1].name': 1,
    'messages[1].refusal': 2,
    'messages[1].tool_calls[1].id': 7,
    'messages[2].name': 'other',
  })
})

test.each<[JsonObject, string, string]>([
  [{ n: 2 }, 'n > 1', 'n'],
  [{ functions: [{ name: 'x' }] }, 'legacy functions', 'functions'],
  [{ function_call: 'auto' }, 'legacy functions', 'function_call'],
  [{ audio: { voice: 'x' } }, 'audio or image output', 'audio'],
  [{ modalities: ['text', 'audio'] }, 'audio or image output', 'modalities'],
  [{ web_search_options: {} }, 'hosted/server tools and their blocks', 'web_search_options'],
  [{ moderation: { model: 'x' } }, 'inline moderation', 'moderation'],
  [{ tools: [lookup, { type: 'web_search' }] }, 'hosted/server tools and their blocks', 'tools[1].type web_search'],
  [{ messages: [{ role: 'function', name: 'x', content: 'y' }] }, 'legacy functions', 'messages[0].role'],
  [
    { messages: [{ role: 'assistant', function_call: { name: 'x' } }] },
    'legacy functions',
    'messages[0].function_call',
  ],
  [{ messages: [{ role: 'assistant', audio: { id: 'x' } }] }, 'audio or image output', 'messages[0].audio'],
])('%j is refused: %s', (body, name, field) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'RETAKE_UNSUPPORTED', details: { name, field } }))
})
