import type { JsonObject, JsonValue, ModelInput } from '@retake/trace'
import { describe, expect, test } from 'vitest'
import { openaiResponses } from './wire.ts'

const url = 'https://api.openai.com/v1/responses'
const user = { role: 'user', content: 'Where is A-77?' }
const call = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'lookup', arguments: '{"id":"A-77"}' }
const output = { type: 'function_call_output', call_id: 'call_1', output: 'late' }
const lookup = { type: 'function', name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } }

const read = (body: JsonObject, at = url): ModelInput =>
  openaiResponses.readRequest({ url: at, headers: {}, body: { model: 'gpt-5', input: [user], ...body } })

const readItems = (...input: JsonValue[]) => read({ input })
const refused = (name: string) => expect.objectContaining({ details: expect.objectContaining({ name }) })
const hosted = 'hosted/server tools and their blocks'

describe('instructions', () => {
  test('and leading system and developer messages are one prompt', () => {
    const input = [{ role: 'developer', content: [{ type: 'input_text', text: 'Be kind.' }] }, user]
    expect(read({ instructions: 'Be brief.', input })).toMatchObject({
      systemPrompt: 'Be brief.\n\nBe kind.',
      messages: [user],
    })
  })

  test('that come later stay where they are', () => {
    expect(readItems(user, { role: 'system', content: 'Now in French.' }).messages).toEqual([
      user,
      { role: 'system', content: 'Now in French.' },
    ])
  })
})

describe('items', () => {
  test('a text is one message of the user', () => {
    expect(read({ input: user.content })).toEqual(readItems({ type: 'message', ...user }))
  })

  test('an answer and its calls are one message without thinking, ids and status', () => {
    const said = { type: 'output_text', text: 'Let me look.', annotations: [], logprobs: [] }
    const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', phase: 'commentary' }
    const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' }
    const { messages, params } = readItems(user, reasoning, { ...message, content: [said] }, call, output)
    expect(messages).toEqual([
      user,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', toolCallId: 'call_1', toolName: 'lookup', toolInput: { id: 'A-77' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', toolCallId: 'call_1', toolName: 'lookup', result: 'late' }] },
    ])
    expect(params).toBeUndefined()
  })

  test('results of calls in parallel are one turn, results of calls one after the other are not', () => {
    const second = { ...call, call_id: 'call_2' }
    const result = { ...output, call_id: 'call_2' }
    expect(readItems(user, call, second, output, result).messages).toHaveLength(3)
    expect(readItems(user, call, output, second, result).messages).toHaveLength(5)
  })

  test('a custom tool takes and gives text', () => {
    const custom = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'shell', input: '{"a": 1}' }
    const { messages } = readItems(user, custom, { ...output, type: 'custom_tool_call_output' })
    expect(messages[1]?.content).toEqual([
      { type: 'tool_use', toolCallId: 'call_1', toolName: 'shell', toolInput: '{"a": 1}', kind: 'custom' },
    ])
    expect(messages[2]?.content).toMatchObject([{ toolName: 'shell', result: 'late' }])
  })

  test('a call of a namespace has its name', () => {
    expect(readItems(user, { ...call, namespace: 'orders' }).messages[1]?.content).toMatchObject([
      { toolName: 'orders.lookup' },
    ])
  })

  test('images and files, also of tools, are told by digest or reference', () => {
    const content = [
      { type: 'input_image', image_url: 'data:image/png;base64,aGk=', detail: 'auto' },
      { type: 'input_image', image_url: 'https://x.test/a.png', detail: 'low' },
      { type: 'input_file', file_id: 'file_1' },
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
    ]
    // printf hi | sha256sum
    const sha256 = '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4'
    const media = [
      { type: 'media', mediaType: 'image/png', sha256, bytes: 2 },
      { type: 'media', mediaType: 'image/*', ref: 'https://x.test/a.png', options: { detail: 'low' } },
      { type: 'media', mediaType: 'application/*', ref: 'file_1' },
      { type: 'media', mediaType: 'application/pdf', sha256, bytes: 2, options: { filename: 'a.pdf' } },
    ]
    expect(readItems({ role: 'user', content }).messages[0]?.content).toEqual(media)
    expect(readItems(user, call, { ...output, output: content }).messages[2]?.content).toMatchObject([
      { result: media },
    ])
  })

  test.each<[string, JsonObject]>([
    [hosted, { type: 'web_search_call', id: 'ws_1' }],
    [hosted, { type: 'computer_call_output', call_id: 'x' }],
    [hosted, { type: 'mcp_list_tools', tools: [] }],
    [hosted, { type: 'x_search_call' }],
    [hosted, { ...call, caller: { type: 'program', caller_id: 'p' } }],
    ['compaction', { type: 'compaction', encrypted_content: 'x' }],
    ['history from outside the run', { type: 'item_reference', id: 'msg_1' }],
    ['history from outside the run', { id: 'msg_1' }],
  ])('%s is refused: %j', (name, item) => {
    expect(() => readItems(user, item)).toThrow(refused(name))
  })
})

describe('tools', () => {
  test('functions, custom tools and those of a namespace are read', () => {
    const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "a"' }
    const tools = [
      { ...lookup, strict: true },
      { type: 'custom', name: 'shell', description: 'Runs.', format: grammar },
      { type: 'namespace', name: 'orders', description: 'All of orders.', tools: [lookup] },
    ]
    expect(read({ tools }).tools).toEqual([
      { name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object' }, options: { strict: true } },
      { name: 'shell', description: 'Runs.', kind: 'custom', options: { format: grammar } },
      {
        name: 'orders.lookup',
        description: 'Looks up.',
        inputSchema: { type: 'object' },
        options: { namespace: 'All of orders.' },
      },
    ])
  })

  test.each(['web_search', 'file_search', 'code_interpreter', 'mcp', 'image_generation', 'shell', 'tool_search'])(
    '%s is refused',
    (type) => {
      expect(() => read({ tools: [{ type }] })).toThrow(refused(hosted))
    },
  )
})

describe('controls', () => {
  test('are kept under neutral names', () => {
    const format = { type: 'json_schema', name: 'order', schema: { $schema: 'x', type: 'object' }, strict: true }
    const body = {
      max_output_tokens: 9,
      tool_choice: 'required',
      text: { format, verbosity: 'low' },
      reasoning: { effort: 'low', summary: null },
      parallel_tool_calls: false,
      truncation: 'auto',
      prompt: { id: 'pmpt_1', version: '2' },
      include: ['brand.new', 'reasoning.encrypted_content'],
    }
    expect(read(body).params).toEqual({
      maxTokens: 9,
      toolChoice: 'required',
      text: {
        format: { type: 'json_schema', name: 'order', schema: { type: 'object' }, strict: true },
        verbosity: 'low',
      },
      reasoning: { effort: 'low' },
      parallelToolCalls: false,
      truncation: 'auto',
      prompt: { id: 'pmpt_1', version: '2' },
      include: ['brand.new'],
    })
  })

  test.each<[string, JsonObject]>([
    ['conversation', { conversation: 'conv_1' }],
    ['background', { background: true }],
    ['inline moderation', { moderation: { model: 'm' } }],
    ['history from outside the run', { previous_response_id: 'resp_1' }],
  ])('%s is refused', (name, body) => {
    expect(() => read(body)).toThrow(refused(name))
  })

  test('the model may stand in the path alone, with the version of the API in the query', () => {
    const at = 'https://x.openai.azure.com/openai/deployments/my%20gpt/responses?api-version=2026-01-01'
    const { model, params } = openaiResponses.readRequest({ url: at, headers: {}, body: { input: 'Hi' } })
    expect([model, params]).toEqual(['my gpt', { other: { 'api-version': '2026-01-01' } }])
  })
})
