import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import type { Cassette, CassetteResult } from '@retake/session'
import type { RetakeError } from '@retake/trace'
import OpenAI from 'openai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { anthropicReply } from '../support/fake-provider/anthropic.ts'
import { chatCall, chatError, chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { inTest, temporaryCassette } from './in-test.ts'

// Put together here, so that no scanner of this repository takes them for real.
const letters = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5kL7n'
const canaries = {
  variable: 'c4nary/of+the env&ironment="1"',
  header: 'c4nary-of-the-header-0123456789',
  'custom header': 'c4nary-of-a-custom-header-0123',
  query: 'c4nary-of-the-query-0123456789',
}
const published: Record<string, string> = {
  'sk-ant': `sk-ant-api03-${letters}${letters}`,
  'sk-proj': `sk-proj-${letters}${letters}`,
  'sk-': `sk-${letters}`,
  'github token': `ghp_${letters.slice(0, 36)}`,
  'groq api key': `gsk_${letters}${letters.slice(0, 12)}`,
  'private key': `-----BEGIN PRIVATE KEY-----\nMI${letters.repeat(5)}\n-----END PRIVATE KEY-----`,
}
const forms: Record<string, (secret: string) => string> = {
  raw: (secret) => secret,
  'in base64': (secret) => Buffer.from(secret).toString('base64'),
  'in base64 behind one byte': (secret) => Buffer.from(`x${secret}y`).toString('base64'),
  'in base64url behind two bytes': (secret) => Buffer.from(`xy${secret}z`).toString('base64url'),
  'URL-encoded': (secret) => encodeURIComponent(secret),
  'URL-encoded in lower case': (secret) => encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase()),
  'in JSON text': (secret) => JSON.stringify({ secret }),
}

beforeEach(() => {
  vi.stubEnv('SHOP_TOKEN', canaries.variable)
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const user = (content: string) => ({ role: 'user' as const, content })
const openai = (baseURL: string) =>
  new OpenAI({
    baseURL: `${baseURL}/v1`,
    apiKey: canaries.header,
    defaultHeaders: { 'x-acme-secret': canaries['custom header'] },
    defaultQuery: { key: canaries.query },
    maxRetries: 0,
  })
const anthropic = (baseURL: string) => new Anthropic({ baseURL, apiKey: canaries.header, maxRetries: 0 })
const chat = (baseURL: string, request: Partial<OpenAI.ChatCompletionCreateParamsNonStreaming> = {}) =>
  openai(baseURL).chat.completions.create({ model: 'gpt-5', messages: [user('Hello.')], ...request })
const hello = chatReply({ content: 'Hello.' })
const tool = (description: string, member = 'id') => ({
  type: 'function' as const,
  function: { name: 'lookup', description, parameters: { type: 'object', properties: { [member]: {} } } },
})

interface Place {
  /** Where the text is found. */
  where?: string
  /** Instead of `where`: it is masked as far as possible, or gets into no cassette. */
  stored?: 'masked' | 'never'
  label?: (text: string) => string
  replies?: (text: string) => Scripted[]
  run(baseURL: string, text: string, cassette: Cassette): Promise<unknown>
}

const input = 'step 0 payload'
const output = 'step 1 payload'
const places: Record<string, Place> = {
  'a system prompt': {
    where: `${input}.systemPrompt`,
    run: (url, text) => chat(url, { messages: [{ role: 'system', content: `Use ${text} for all.` }, user('Hello.')] }),
  },
  'a user message': {
    where: `${input}.messages[0].content`,
    run: (url, text) => chat(url, { messages: [user(`My key is "${text}".`)] }),
  },
  'a message to Anthropic': {
    where: `${input}.messages[0].content`,
    replies: () => [anthropicReply({ content: [{ type: 'text', text: 'Hello.' }] })],
    run: (url, text) => anthropic(url).messages.create({ model: 'claude-x', max_tokens: 9, messages: [user(text)] }),
  },
  'a tool description': {
    where: `${input}.tools[0].description`,
    run: (url, text) => chat(url, { tools: [tool(text)] }),
  },
  'a name in a tool schema': {
    where: `${input}.tools[0].inputSchema.properties`,
    run: (url, text) => chat(url, { tools: [tool('Looks up.', text)] }),
  },
  'a request field that retake does not know': {
    where: `${input}.params.other.brand_new.deep[0]`,
    run: (url, text) => chat(url, { brand_new: { deep: [text] } } as object),
  },
  'a reply': {
    where: `${output}.text`,
    replies: (text) => [chatReply({ content: `It is ${text}.` })],
    run: (url) => chat(url),
  },
  'the arguments of a call': {
    where: `${output}.calls[0].toolInput.token`,
    replies: (token) => [chatReply({ tool_calls: [chatCall('call_1', 'lookup', { token })] })],
    run: (url) => chat(url, { tools: [tool('Looks up.')] }),
  },
  'a streamed reply, in pieces': {
    where: `${output}.text`,
    replies: (text) => [chatReply({ content: `It is ${text}.` }, { pieces: 9 })],
    run: (url) =>
      openai(url)
        .chat.completions.stream({ model: 'gpt-5', messages: [user('Hello.')] })
        .finalChatCompletion(),
  },
  'the streamed arguments of a call, in pieces': {
    where: `${output}.calls[0].toolInput.token`,
    replies: (token) => [
      anthropicReply(
        { content: [{ type: 'tool_use', id: 'toolu_01', name: 'lookup', input: { token } }] },
        { pieces: 9 },
      ),
    ],
    run: (url) =>
      anthropic(url)
        .messages.stream({ model: 'claude-x', max_tokens: 9, messages: [user('Hello.')] })
        .finalMessage(),
  },
  'streamed thinking, in pieces': {
    where: `${output}.parts[0].text`,
    replies: (thinking) => [
      anthropicReply(
        {
          content: [
            { type: 'thinking', thinking, signature: 'c2ln' },
            { type: 'text', text: 'Hello.' },
          ],
        },
        { pieces: 9 },
      ),
    ],
    run: (url) =>
      anthropic(url)
        .messages.stream({ model: 'claude-x', max_tokens: 9, messages: [user('Hello.')] })
        .finalMessage(),
  },
  'the result of a wrapped tool': {
    where: 'step 3 payload.result.rows[0].token',
    replies: () => [chatReply({ tool_calls: [chatCall('call_1', 'lookup', {})] })],
    async run(url, token, cassette) {
      const { lookup } = cassette.tools({ lookup: (_: object) => ({ rows: [{ token }] }) })
      await chat(url, { tools: [tool('Looks up.')] })
      return lookup({})
    },
  },
  'the input of a wrapped tool': {
    where: 'step 2 payload.toolInput.token',
    async run(url, token, cassette) {
      const lookup = cassette.tool('lookup', (_: { token: string }) => 'found')
      await chat(url)
      return lookup({ token })
    },
  },
  'a tool result in the history': {
    where: `${input}.messages[2].content[0].result`,
    run: (url, content) =>
      chat(url, {
        messages: [
          user('Hello.'),
          { role: 'assistant', content: null, tool_calls: [chatCall('call_1', 'lookup', {})] },
          { role: 'tool', tool_call_id: 'call_1', content },
        ],
      }),
  },
  'the name of the test': { where: 'test.name', label: (text) => `finds ${text}`, run: (url) => chat(url) },
  'the name of the model that answered': {
    where: 'extras[0].servedModel',
    replies: (model) => [chatReply({ content: 'Hello.', model })],
    run: (url) => chat(url),
  },
  'a signature that only a live continuation needs': {
    where: 'extras[0].opaque[0].value',
    replies: (signature) => [
      anthropicReply({
        content: [
          { type: 'thinking', thinking: 'Hm.', signature },
          { type: 'text', text: 'Hello.' },
        ],
      }),
    ],
    run: (url) => anthropic(url).messages.create({ model: 'claude-x', max_tokens: 9, messages: [user('Hello.')] }),
  },
  // Masked: what a provider or a tool says of an error often quotes the key, and the run is worth keeping.
  'the error message of a provider': {
    stored: 'masked',
    replies: (text) => [
      chatError(401, { message: `Incorrect API key provided: ${text}`, code: text, param: text }),
      hello,
    ],
    run: (url) => chat(url).catch(() => chat(url, { messages: [user('Again.')] })),
  },
  'the error of a wrapped tool': {
    stored: 'masked',
    async run(url, text, cassette) {
      const lookup = cassette.tool('lookup', () => {
        throw new Error(`no access with ${text}`)
      })
      await chat(url)
      expect(() => lookup()).toThrow(text)
    },
  },
  'a request header': {
    stored: 'never',
    run: (url, text) =>
      openai(url).chat.completions.create(
        { model: 'gpt-5', messages: [user('Hello.')] },
        { headers: { 'x-request-note': encodeURIComponent(text) } },
      ),
  },
  'a query': {
    stored: 'never',
    run: (url, note) =>
      openai(url).chat.completions.create({ model: 'gpt-5', messages: [user('Hello.')] }, { query: { note } }),
  },
}

/** Records one run with the text in its place. */
async function record(
  { label, replies, run }: Place,
  text: string,
): Promise<{ result: CassetteResult; files: string[] }> {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: replies?.(text) ?? [hello] })
  const { result } = await inTest(file.path, { ...(label && { label: label(text) }) }, (cassette) =>
    run(provider.url, text, cassette),
  )
  const folder = dirname(dirname(dirname(file.path)))
  const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile())
  return {
    result,
    files: files.map(({ parentPath, name }) => `${name}\n${readFileSync(`${parentPath}/${name}`, 'utf8')}`),
  }
}

const heldBy = (text: string, secrets: string[]) => secrets.filter((secret) => text.includes(secret))

/** Nothing of the secret may be on disk, and nothing of it in what is said. */
async function expectKept(place: Place, text: string, secret: string, kind: string | RegExp): Promise<void> {
  const { result, files } = await record(place, text)
  const written = Object.values(forms).flatMap((form) => [form(secret), JSON.stringify(form(secret)).slice(1, -1)])
  if (place.where === undefined && (place.stored === 'never' || masked.has(kind))) {
    expect(result).toMatchObject({ kind: 'recorded', errors: [] })
    expect(files).toHaveLength(1)
    expect(heldBy(files.join(''), written)).toEqual([])
    return
  }
  expect(files).toEqual([])
  expect(result.kind).toBe('failed')
  expect(result.errors).toHaveLength(1)
  const { message, code, details } = result.errors[0] as RetakeError
  expect(code).toBe('RETAKE_SECRET_FOUND')
  expect(details.kind).toMatch(kind)
  expect(message).toContain(details.kind)
  expect(message).toContain(`\n  ${details.where}`)
  if (place.where) expect(details.where).toBe(place.where)
  expect(heldBy(message + JSON.stringify(details), written)).toEqual([])
}

const fromKeyHeader = /^value of the header (authorization|x-api-key)$/
/** What is masked where it may be: given values, and the keys of the providers. */
const masked = new Set<string | RegExp>(['value of SHOP_TOKEN', fromKeyHeader, 'sk-ant', 'sk-proj', 'sk-'])

describe.each(Object.entries(places))('in %s', (_, place) => {
  test('the value of a key-like variable does not reach the disk in any form', async () => {
    for (const form of Object.values(forms)) {
      await expectKept(place, form(canaries.variable), canaries.variable, 'value of SHOP_TOKEN')
    }
  })

  test('the key of the request does not reach the disk', async () => {
    await expectKept(place, canaries.header, canaries.header, fromKeyHeader)
  })

  test('a key of a published form does not reach the disk', async () => {
    for (const [kind, key] of Object.entries(published)) await expectKept(place, key, key, kind)
  })
})

test.each(['custom header', 'query'] as const)('a key in a %s of the request does not reach the disk', async (name) => {
  const kind = { 'custom header': 'value of the header x-acme-secret', query: 'value of the query parameter key' }[name]
  for (const form of Object.values(forms)) {
    await expectKept(places['a user message'] as Place, form(canaries[name]), canaries[name], kind)
  }
})

test('a comment for secretlint in the text of a cassette suppresses nothing', async () => {
  const { 'github token': key = '' } = published
  const text = `/* secretlint-disable */\n<!-- secretlint-disable-line -->\n${key} // secretlint-disable-line`
  await expectKept(places['the result of a wrapped tool'] as Place, text, key, 'github token')
})

test('an update that would write a secret leaves the file as it was', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: [hello, hello] })
  await inTest(file.path, {}, () => chat(provider.url))
  const before = readFileSync(file.path, 'utf8')
  const { result } = await inTest(file.path, { mode: 'update' }, () =>
    chat(provider.url, { messages: [user(canaries.variable)] }),
  )
  expect(result.errors).toMatchObject([{ code: 'RETAKE_SECRET_FOUND' }])
  expect(readFileSync(file.path, 'utf8')).toBe(before)
  expect(readdirSync(dirname(file.path))).toEqual([basename(file.path)])
})

test('what only looks a little like a key, and data that looks like a provider, is recorded', async () => {
  const blob = Array.from({ length: 96 }, (_, n) => createHash('sha256').update(`${n}`).digest('base64url')).join('')
  const innocent = {
    usage: 42,
    stop_reason: 'end_turn',
    source: "if (id.startsWith('toolu_01A') || id === 'chatcmpl-abcdefgh1') return 'msg_9'",
    encrypted: `${blob.slice(0, 2001)}sk-${blob.slice(2001)}`,
    encoded: Buffer.from(`${blob.slice(0, 2000)}sk-ant-${blob.slice(2000)}`).toString('base64'),
    docs: 'Set OPENAI_API_KEY=sk-… first. It starts with sk-ant- or sk-proj-.',
  }
  const place: Place = {
    stored: 'never',
    replies: () => [chatReply({ tool_calls: [chatCall('call_1', 'lookup', {})] }), hello],
    async run(url, _, cassette) {
      const lookup = cassette.tool('lookup', () => innocent)
      const { choices } = await chat(url, { tools: [{ ...tool('toolu_'), usage: 1 } as never] })
      const result = { role: 'tool' as const, tool_call_id: 'call_1', content: JSON.stringify(lookup()) }
      const message = choices[0]?.message as OpenAI.ChatCompletionMessage
      await chat(url, { messages: [user('Hello.'), message, result] })
    },
  }
  const { result, files } = await record(place, '')
  expect(result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(files.join('')).toContain(`sk-${blob.slice(2001)}`)
})
