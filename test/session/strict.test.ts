import { CassetteMissingError, createScope, openCassette, runInScope } from '@retake/session'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { chatReply } from '../support/fake-provider/chat.ts'
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import { inTest, temporaryCassette } from './in-test.ts'

type Request = OpenAI.ChatCompletionCreateParamsNonStreaming

const tool = (description: string, type = 'string') => ({
  type: 'function' as const,
  function: {
    name: 'lookup',
    description,
    parameters: { type: 'object', properties: { orderId: { type } }, required: ['orderId'] },
  },
})
const request = (): Request => ({
  model: 'gpt-5',
  messages: [
    { role: 'system', content: 'Refund late orders.' },
    { role: 'user', content: 'Where is A-77?' },
  ],
  tools: [tool('Looks an order up.')],
  temperature: 0.2,
  max_completion_tokens: 100,
})

const ask = (provider: FakeProvider, body: Request) =>
  new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k' }).chat.completions.create(body)

/** Records `request()`, then replays `changed` with the provider up, so that a leak would be seen. */
async function replayWith(changed: Request, swallow = false) {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: Array(5).fill(chatReply({ content: 'It is late.' })) })
  await inTest(file.path, {}, () => ask(provider, request()))
  const sent = provider.requests.length
  let attempts = 0
  const replay = await inTest(file.path, {}, async (cassette) => {
    const fetch: typeof globalThis.fetch = (input, init) => {
      attempts++
      return cassette.fetch(input, init)
    }
    const client = new OpenAI({ baseURL: `${provider.url}/v1`, apiKey: 'k', fetch })
    const reply = client.chat.completions.create(changed)
    return swallow
      ? reply.catch(() => 'swallowed')
      : reply.then(
          ({ choices }) => choices[0]?.message.content,
          (error: Error) => error,
        )
  })
  return { ...replay, attempts, upstream: provider.requests.length - sent }
}

const changes: Record<string, [path: string, (request: Request) => Request]> = {
  'one character of the system prompt': [
    'systemPrompt',
    (r) => ({ ...r, messages: [{ role: 'system', content: 'Refund late orders!' }, ...r.messages.slice(1)] }),
  ],
  'one character of a user message': [
    'messages[0].content',
    (r) => ({ ...r, messages: [...r.messages.slice(0, 1), { role: 'user', content: 'Where is A-78?' }] }),
  ],
  'one word of a tool description': ['tools[0].description', (r) => ({ ...r, tools: [tool('Looks an order up')] })],
  'one type in a tool schema': [
    'tools[0].inputSchema.properties.orderId.type',
    (r) => ({ ...r, tools: [tool('Looks an order up.', 'number')] }),
  ],
  'a parameter': ['params.temperature', (r) => ({ ...r, temperature: 0.3 })],
  'the model': ['model', (r) => ({ ...r, model: 'gpt-5-mini' })],
  'a field that retake does not know': ['params.other.brand_new', (r) => ({ ...r, brand_new: 1 }) as Request],
}

for (const [what, [path, change]] of Object.entries(changes)) {
  test(`replay fails on ${what} and names its path`, async () => {
    const { value, result, attempts, upstream } = await replayWith(change(request()))
    expect(value).toBeInstanceOf(OpenAI.BadRequestError)
    expect(String(value)).toContain('[retake]')
    expect(result.kind).toBe('failed')
    expect(result.errors).toHaveLength(1)
    expect(result.errors[0]).toMatchObject({ code: 'RETAKE_CASSETTE_MISMATCH' })
    expect(result.errors[0]?.message).toContain(path)
    expect(attempts).toBe(1)
    expect(upstream).toBe(0)
  })
}

test('a mismatch that the agent swallows is still remembered', async () => {
  const { value, result, attempts } = await replayWith({ ...request(), temperature: 1 }, true)
  expect(value).toBe('swallowed')
  expect(result.kind).toBe('failed')
  expect(result.errors[0]?.message).toContain('params.temperature')
  expect(attempts).toBe(1)
})

const same: Record<string, (request: Request) => Request> = {
  'developer instead of system': (r) => ({
    ...r,
    messages: [{ role: 'developer', content: 'Refund late orders.' }, ...r.messages.slice(1)],
  }),
  'max_tokens instead of max_completion_tokens': ({ max_completion_tokens, ...r }) => ({
    ...r,
    max_tokens: max_completion_tokens ?? null,
  }),
  'text in two parts': (r) => ({
    ...r,
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Refund late orders.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Where is A-77?' }] },
    ],
  }),
  'user and metadata': (r) => ({ ...r, user: 'u-2', metadata: { trace: '1' } }),
}

for (const [what, change] of Object.entries(same)) {
  test(`replay still matches with ${what}`, async () => {
    const { value, result } = await replayWith(change(request()))
    expect(value).toBe('It is late.')
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  })
}

test('a test whose cassette is missing makes no live call, even if it swallows the error', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: [chatReply({ content: 'live' })] })
  const scope = createScope('a test')
  const open = () =>
    openCassette(
      { name: 'a', path: file.path, mode: 'replay', ci: false, test: { file: 'a.test.ts', name: 'a' } },
      scope,
    )
  expect(open).toThrow(CassetteMissingError)
  const answer = await runInScope(scope, () => ask(provider, request()).catch((error: Error) => error))
  expect(answer).toBeInstanceOf(OpenAI.BadRequestError)
  expect(provider.requests).toHaveLength(0)
})
