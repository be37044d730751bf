import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue, ModelInput } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { anthropicMessages } from './wire.ts'

const url = 'https://api.anthropic.com/v1/messages'
const user = { role: 'user', content: 'Where is A-77?' }

const read = (body: JsonObject, headers: Record<string, string> = {}): ModelInput =>
  anthropicMessages.readRequest({ url, headers, body: { model: 'claude', messages: [user], max_tokens: 9, ...body } })

const readMessages = (...messages: JsonValue[]) => read({ messages })

const params = { maxTokens: 9 }

test('the system prompt is one text, however it is cut', () => {
  const cached = { cache_control: { type: 'ephemeral' } }
  const blocks = [
    { type: 'text', text: 'Be brief.', ...cached },
    { type: 'text', text: 'Be kind.' },
  ]
  expect(read({ system: blocks })).toEqual(read({ system: 'Be brief.\n\nBe kind.' }))
  expect(read({ system: '' })).toEqual(read({}))
})

describe('messages', () => {
  test('keep blocks of a user and put the text of an assistant first', () => {
    expect(
      readMessages(
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'x' },
            { type: 'redacted_thinking', data: 'x' },
            { type: 'text', text: 'One.', citations: null },
            { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: { id: 'A' }, caller: { type: 'direct' } },
            { type: 'text', text: 'Two.' },
          ],
        },
        { role: 'system', content: 'Now in French.' },
      ),
    ).toEqual({
      model: 'claude',
      tools: [],
      params,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'One.\n\nTwo.' },
            { type: 'tool_use', toolCallId: 'toolu_1', toolName: 'lookup', toolInput: { id: 'A' } },
          ],
        },
        { role: 'system', content: 'Now in French.' },
      ],
    })
  })

  test('may be a whole reply that an SDK hands back', () => {
    const content = [{ type: 'text', text: 'Hi' }]
    const envelope = {
      id: 'msg_1',
      type: 'message',
      model: 'claude',
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {},
    }
    expect(readMessages(user, { role: 'assistant', content, ...envelope })).toEqual(
      readMessages(user, { role: 'assistant', content }),
    )
  })

  test('with results name their calls and keep errors', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: {} }
    const result = (rest: JsonObject, id = 'toolu_1') => ({ type: 'tool_result', tool_use_id: id, ...rest })
    const { messages } = readMessages(
      { role: 'assistant', content: [call] },
      {
        role: 'user',
        content: [
          result({ content: 'late', is_error: false }),
          result({
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          }),
          result({}),
          result({ content: 'broken', is_error: true }, 'toolu_9'),
        ],
      },
    )
    const named = { type: 'tool_result', toolCallId: 'toolu_1', toolName: 'lookup' }
    expect(messages[1]?.content).toEqual([
      { ...named, result: 'late' },
      { ...named, result: 'a\n\nb' },
      { ...named, result: '' },
      { type: 'tool_result', toolCallId: 'toolu_9', toolName: 'unknown', error: 'broken' },
    ])
  })

  test('keep what nobody knows by its path', () => {
    const addition = { type: 'tool_addition', tool: { type: 'tool_reference', name: 'x' } }
    expect(readMessages(user, { role: 'system', content: [addition] }).params).toEqual({
      ...params,
      other: { 'messages[1].content[0]': addition },
    })
    const cited = { type: 'text', text: 'x', citations: [{ cited_text: 'y' }] }
    expect(readMessages({ role: 'assistant', content: [cited] }).params).toEqual({
      ...params,
      other: { 'messages[0].content[0].citations': [{ cited_text: 'y' }] },
    })
  })

  test('name a call of a toolset within it', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'click', toolset_name: 'computer', input: { x: 1 } }
    expect(readMessages({ role: 'assistant', content: [call] }).messages[0]?.content).toMatchObject([
      { toolName: 'computer.click' },
    ])
  })
})

describe('media', () => {
  const bytes = Buffer.from('%PDF-1.4 é')
  const digest = { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length }
  const base64 = { type: 'base64', media_type: 'application/pdf', data: bytes.toString('base64') }

  test.each<[string, JsonObject, object]>([
    ['a document', { type: 'document', source: base64 }, { mediaType: 'application/pdf', ...digest }],
    [
      'a document with a title',
      { type: 'document', source: base64, title: 'Terms', context: null, citations: { enabled: true } },
      { mediaType: 'application/pdf', ...digest, options: { title: 'Terms', citations: { enabled: true } } },
    ],
    [
      'plain text',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: bytes.toString() } },
      { mediaType: 'text/plain', ...digest },
    ],
    [
      'an image',
      { type: 'image', source: { ...base64, media_type: 'image/png' } },
      { mediaType: 'image/png', ...digest },
    ],
    [
      'an address',
      { type: 'image', source: { type: 'url', url: 'https://x.test/a.png' } },
      { mediaType: 'image/*', ref: 'https://x.test/a.png' },
    ],
    [
      'a file',
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      { mediaType: 'application/*', ref: 'file_1' },
    ],
  ])('%s', (_, block, expected) => {
    expect(readMessages({ role: 'user', content: [block] }).messages[0]?.content).toEqual([
      { type: 'media', ...expected },
    ])
  })

  test('in a result keeps its place among the text', () => {
    const content = [
      { type: 'text', text: 'See:' },
      { type: 'document', source: base64 },
    ]
    const { messages } = readMessages({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] })
    expect(messages[0]?.content).toMatchObject([
      {
        result: [
          { type: 'text', text: 'See:' },
          { type: 'media', mediaType: 'application/pdf', ...digest },
        ],
      },
    ])
  })

  test('of a search of the agent tells text and source', () => {
    const block = {
      type: 'search_result',
      source: 'https://x.test',
      title: 'X',
      content: [{ type: 'text', text: 'é' }],
    }
    const read = (changed: object) => readMessages({ role: 'user', content: [{ ...block, ...changed }] }).messages
    expect(read({})).not.toEqual(read({ content: [{ type: 'text', text: 'e' }] }))
    expect(read({})).not.toEqual(read({ source: 'https://y.test' }))
    expect(read({})).toEqual(read({ cache_control: { type: 'ephemeral' } }))
  })
})

describe('tools', () => {
  const tool = { name: 'lookup', description: 'Looks up.', input_schema: { type: 'object' } }

  test('have a name, a description and a schema without its dialect', () => {
    const sent = {
      ...tool,
      type: 'custom',
      input_schema: { $schema: 'x', type: 'object' },
      strict: null,
      eager_input_streaming: true,
    }
    expect(read({ tools: [sent] })).toEqual(read({ tools: [tool] }))
    expect(read({ tools: [tool] }).tools).toEqual([
      { name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' } },
    ])
  })

  test('keep what changes behaviour', () => {
    const options = { strict: true, input_examples: [{ id: 'A' }], defer_loading: true }
    expect(read({ tools: [{ ...tool, ...options }] }).tools[0]?.options).toEqual(options)
  })

  test('that the client runs keep their type', () => {
    const bash = { type: 'bash_20250124', name: 'bash' }
    const computer = { type: 'computer_20251124', name: 'computer', display_width_px: 1024 }
    expect(read({ tools: [bash, computer] }).tools).toEqual([
      { name: 'bash', description: '', kind: 'bash_20250124' },
      { name: 'computer', description: '', kind: 'computer_20251124', options: { display_width_px: 1024 } },
    ])
  })
})

describe('controls', () => {
  test('have neutral names, and defaults are nothing', () => {
    const controls = { temperature: 0, top_p: 0.5, top_k: 3, stop_sequences: ['x'], thinking: { type: 'adaptive' } }
    expect(read(controls).params).toEqual({
      ...params,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      stop: ['x'],
      thinking: { type: 'adaptive' },
    })
    const auto = { type: 'auto', disable_parallel_tool_use: false }
    expect(read({ stop_sequences: [], tool_choice: auto, temperature: null }).params).toEqual(params)
  })

  test('of tool choice keep everything that is no default', () => {
    const alone = { type: 'auto', disable_parallel_tool_use: true }
    expect(read({ tool_choice: alone }).params).toEqual({ ...params, toolChoice: alone })
    expect(read({ tool_choice: { type: 'any', disable_parallel_tool_use: false } }).params).toEqual({
      ...params,
      toolChoice: { type: 'any' },
    })
  })

  test('of output keep effort and the schema without its dialect', () => {
    const output = (schema: JsonObject) =>
      read({ output_config: { effort: 'low', format: { type: 'json_schema', schema } } })
    expect(output({ $schema: 'x', type: 'object' })).toEqual(output({ type: 'object' }))
    expect(output({ type: 'object' }).params?.outputConfig).toMatchObject({ effort: 'low' })
  })

  test('that are ignored change nothing', () => {
    const ignored = {
      stream: true,
      metadata: { user_id: 'u' },
      service_tier: 'auto',
      speed: 'fast',
      inference_geo: 'eu',
      cache_control: { type: 'ephemeral' },
      diagnostics: {},
      user_profile_id: 'u',
      workspace_id: 'w',
      billing_policy: {},
      thread: { type: 'create' },
    }
    expect(read(ignored)).toEqual(read({}))
  })

  test('in the beta header are those that may change the answer', () => {
    const header =
      'message-threads-2026-08-12, interleaved-thinking-2025-05-14,context-1m-2025-08-07,brand-new-2027-01-01'
    expect(read({}, { 'anthropic-beta': header }).params?.betas).toEqual([
      'brand-new-2027-01-01',
      'context-1m-2025-08-07',
      'interleaved-thinking-2025-05-14',
    ])
    expect(read({}, { 'anthropic-beta': 'structured-outputs-2025-11-13,prompt-caching-2024-07-31' })).toEqual(read({}))
  })
})

test.each<[JsonObject, string, string]>([
  [{ container: 'c' }, 'hosted/server tools and their blocks', 'container'],
  [{ mcp_servers: [{ name: 'x' }] }, 'hosted/server tools and their blocks', 'mcp_servers'],
  [{ fallbacks: [{ model: 'x' }] }, 'hosted/server tools and their blocks', 'fallbacks'],
  [{ compaction: { trigger: 1 } }, 'compaction', 'compaction'],
  [{ thread: { type: 'continue', previous_message_id: 'msg_1' } }, 'history from outside the run', 'thread'],
  [
    { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    'hosted/server tools and their blocks',
    'tools[0].type web_search_20250305',
  ],
  [
    { tools: [{ type: 'mcp_toolset', name: 'x' }] },
    'hosted/server tools and their blocks',
    'tools[0].type mcp_toolset',
  ],
  [
    { messages: [{ role: 'assistant', content: [{ type: 'server_tool_use' }] }] },
    'hosted/server tools and their blocks',
    'messages[0].content[0].type server_tool_use',
  ],
  [
    { messages: [{ role: 'assistant', content: [{ type: 'compaction' }] }] },
    'compaction',
    'messages[0].content[0].type compaction',
  ],
  [
    { messages: [{ role: 'user', content: [{ type: 'container_upload' }] }] },
    'hosted/server tools and their blocks',
    'messages[0].content[0].type container_upload',
  ],
])('%j is refused: %s', (body, name, field) => {
  expect(() => read(body)).toThrow(expect.objectContaining({ code: 'RETAKE_UNSUPPORTED', details: { name, field } }))
})

test('a thread that goes on is asked for its whole history', () => {
  const request = (thread: JsonObject) => ({ url, headers: {}, body: { model: 'claude', messages: [], thread } })
  const answer = anthropicMessages.requestHistory?.(request({ type: 'continue', previous_message_id: 'msg_1' }))
  expect(answer?.status).toBe(404)
  expect(JSON.parse(String(answer?.body)).error.details.error_code).toBe('thread_not_found')
  expect(anthropicMessages.requestHistory?.(request({ type: 'create' }))).toBeUndefined()
})
