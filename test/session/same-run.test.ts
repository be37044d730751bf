import { randomUUID } from 'node:crypto'
import type { Cassette } from '@retake/session'
import { expect, test, vi } from 'vitest'
import { anthropicReply } from '../support/fake-provider/anthropic.ts'
import { chatCall, chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { anthropicAt, postChat } from './sdk-clients.ts'

type Json = { [name: string]: unknown }

const schema = (property: string) => ({
  type: 'object',
  properties: { [property]: { type: 'string', description: 'An id.' } },
  required: [property],
  additionalProperties: false,
})
const tools = ['lookup', 'refund'].map((name) => ({
  type: 'function',
  function: { name, description: `Does ${name}.`, parameters: schema('id') },
}))
const base = {
  model: 'gpt-5',
  messages: [
    { role: 'system', content: 'Refund late orders.' },
    { role: 'user', content: 'Where are A-77 and B-12?' },
  ],
  tools,
  temperature: 0.2,
  max_completion_tokens: 100,
}

const mapObjects = (value: unknown, change: (object: Json) => Json): unknown => {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapObjects(member, change)])))
}
const reversed = (value: unknown): Json =>
  mapObjects(value, (object) => Object.fromEntries(Object.entries(object).reverse())) as Json

/** Two turns over `fetch`; `shape` is what this SDK, version or run makes of a request. */
const agent =
  (url: string, shape: (body: typeof base & Json) => Json = (body) => body, headers: Record<string, string> = {}) =>
  async (_: Cassette): Promise<unknown> => {
    const messages: Json[] = [...base.messages]
    for (;;) {
      const body = shape({ ...base, messages: messages as typeof base.messages })
      const response = await postChat(url, body, {
        headers: { authorization: 'Bearer k-0123456789', 'content-type': 'application/json', ...headers },
      })
      const message = body.stream ? fromStream(await response.text()) : (await response.json()).choices[0].message
      const calls = (message.tool_calls ?? []) as { id: string; function: { name: string; arguments: string } }[]
      if (calls.length === 0) return message.content
      messages.push({ role: 'assistant', content: message.content ?? null, tool_calls: calls })
      for (const { id, function: called } of calls) {
        messages.push({ role: 'tool', tool_call_id: id, content: `${called.name} ${called.arguments}` })
      }
    }
  }

/** The message that the chunks of a stream make up. */
const fromStream = (text: string): Json => {
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = []
  let content = ''
  for (const [, data = ''] of text.matchAll(/^data: (\{.*\})$/gm)) {
    const delta = JSON.parse(data).choices[0]?.delta ?? {}
    content += delta.content ?? ''
    for (const { index, ...part } of delta.tool_calls ?? []) {
      const known = calls[index]
      if (known) known.function.arguments += part.function.arguments
      else calls[index] = part
    }
  }
  return { content: content || null, ...(calls.length > 0 && { tool_calls: calls }) }
}

const replies: Scripted[] = [
  chatReply({
    content: 'I look.',
    tool_calls: [chatCall('call_a9', 'lookup', { id: 'A-77' }), chatCall('call_b3', 'lookup', { id: 'B-12' })],
  }),
  chatReply({ content: 'Both are late.' }),
]

const otherIds = () => {
  const ids = new Map<string, string>()
  const rename = (id: string) => {
    if (!ids.has(id)) ids.set(id, randomUUID())
    return ids.get(id)
  }
  return (body: Json): Json =>
    mapObjects(body, (object) => ({
      ...object,
      ...('tool_call_id' in object && { tool_call_id: rename(object.tool_call_id as string) }),
      ...('function' in object && 'id' in object && { id: rename(object.id as string) }),
    })) as Json
}

const shapes: Record<string, (body: typeof base & Json) => Json> = {
  'as it was': (body) => body,
  'with ids of its own': otherIds(),
  'with members in another order': reversed,
  'with tools in another order': (body) => ({ ...body, tools: body.tools.toReversed() }),
  streamed: (body) => ({ ...body, stream: true, stream_options: { include_usage: true } }),
  'with defaults said aloud': (body) => ({
    ...body,
    n: 1,
    stream: false,
    store: false,
    tool_choice: 'auto',
    logprobs: null,
    stop: null,
    response_format: null,
    service_tier: 'auto',
    tools: body.tools.map((tool) => ({ ...tool, function: { ...tool.function, strict: false } })),
  }),
  'with the older name of the limit': ({ max_completion_tokens, ...body }) => ({
    ...body,
    max_tokens: max_completion_tokens,
  }),
  'with texts in parts': (body) => ({
    ...body,
    messages: body.messages.map((message) =>
      typeof message.content === 'string'
        ? { ...message, content: [{ type: 'text', text: message.content }] }
        : message,
    ),
  }),
  'with developer instructions': (body) => ({
    ...body,
    messages: body.messages.map((message) => (message.role === 'system' ? { ...message, role: 'developer' } : message)),
  }),
  'for another user': (body) => ({
    ...body,
    user: randomUUID(),
    metadata: { run: randomUUID() },
    prompt_cache_key: 'k',
  }),
}

test.each(Object.entries(shapes))('a run is replayed when its requests come %s', async (_, shape) => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies })
  const recorded = await inTest(file.path, {}, agent(provider.url))
  await provider.stop()
  for (let nth = 0; nth < 2; nth++) {
    const replayed = await inTest(file.path, {}, agent(provider.url, shape))
    expect(replayed).toMatchObject({ value: recorded.value, result: { kind: 'replayed', errors: [] } })
  }
})

test.each(Object.entries(shapes))('a run recorded with requests %s is replayed as it is', async (_, shape) => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies })
  const recorded = await inTest(file.path, {}, agent(provider.url, shape))
  await provider.stop()
  expect(recorded.value).toBe('Both are late.')
  const replayed = await inTest(file.path, {}, agent(provider.url))
  expect(replayed).toMatchObject({ value: 'Both are late.', result: { kind: 'replayed', errors: [] } })
})

test('another day, host, key and version of the SDK change nothing', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies })
  await inTest(file.path, {}, agent(provider.url))
  await provider.stop()
  vi.useFakeTimers({ now: new Date('2031-01-01'), toFake: ['Date'] })
  try {
    const headers = {
      authorization: 'Bearer another-key-0123',
      'user-agent': 'OpenAI/JS 9.9.9',
      'x-stainless-package-version': '9.9.9',
      'x-stainless-retry-count': '0',
      'idempotency-key': randomUUID(),
    }
    const replayed = await inTest(file.path, {}, agent('https://api.openai.com', undefined, headers))
    expect(replayed).toMatchObject({ value: 'Both are late.', result: { kind: 'replayed', errors: [] } })
  } finally {
    vi.useRealTimers()
  }
})

test('a run of Anthropic is replayed streamed or not, whatever its ids, its thinking and its cache marks', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({
    replies: [
      anthropicReply({
        content: [
          { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_01A', name: 'lookup', input: { id: 'A-77' } },
        ],
      }),
      anthropicReply({ content: [{ type: 'text', text: 'It is late.' }] }),
    ],
  })
  const run = (streamed: boolean, changed: boolean) => async () => {
    const client = anthropicAt(provider.url)
    const mark = changed ? { cache_control: { type: 'ephemeral' as const } } : {}
    const request = {
      model: 'claude-sonnet-5-5',
      max_tokens: 100,
      system: changed ? [{ type: 'text' as const, text: 'Be brief.', ...mark }] : 'Be brief.',
      tools: [{ name: 'lookup', description: 'Looks up.', input_schema: schema('id') as never, ...mark }],
      ...(changed && { metadata: { user_id: randomUUID() } }),
    }
    const messages: Parameters<typeof client.messages.create>[0]['messages'] = [{ role: 'user', content: 'Where?' }]
    for (;;) {
      const body = { ...request, messages }
      const { content } = streamed
        ? await client.messages.stream(body).finalMessage()
        : await client.messages.create(body)
      const call = content.find((block) => block.type === 'tool_use')
      if (!call) return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      const id = changed ? `toolu_${randomUUID()}` : call.id
      const blocks = content
        .filter((block) => !changed || block.type !== 'thinking')
        .map((block) => (block.type === 'tool_use' ? { ...block, id } : block))
      messages.push({ role: 'assistant', content: blocks as never })
      const text = 'late'
      messages.push({
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: changed ? [{ type: 'text', text }] : text }],
      })
    }
  }
  const recorded = await inTest(file.path, {}, run(false, false))
  await provider.stop()
  expect(recorded.value).toBe('It is late.')
  for (const [streamed, changed] of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ] as const) {
    const replayed = await inTest(file.path, {}, run(streamed, changed))
    expect(replayed).toMatchObject({ value: 'It is late.', result: { kind: 'replayed', errors: [] } })
  }
})
