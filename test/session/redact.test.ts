import { readFileSync } from 'node:fs'
import Anthropic from '@anthropic-ai/sdk'
import type { Cassette, CassetteOptions } from '@retake/session'
import { loadTrace, verifyFile } from '@retake/trace'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { anthropicReply } from '../support/fake-provider/anthropic.ts'
import { chatCall, chatError, chatReply } from '../support/fake-provider/chat.ts'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { inTest, temporaryCassette } from './in-test.ts'

const mail = 'ann.lee@acme.dev'
const card = '4111-1111-1111-1111'
const secrets = [mail, card]
const rules: NonNullable<CassetteOptions['redact']> = [
  /[\w.]+@acme\.dev/,
  'toolInput.card',
  'result.card',
  (text) => text.replaceAll(card, '<card>'),
]

const tools = [
  { type: 'function' as const, function: { name: 'charge', description: `Asks ${mail}.`, parameters: {} } },
]
const script = (): Scripted[] => [
  chatReply(
    { content: `I charge ${mail}.`, tool_calls: [chatCall('call_1', 'charge', { card, to: mail, amount: 20 })] },
    { pieces: 4 },
  ),
  chatReply({ content: `Charged ${card} of ${mail}.` }, { pieces: 4 }),
]

interface Given {
  baseURL: string
  cassette: Cassette
  stream?: boolean
  question?: string
  temperature?: number
  seen?: unknown[]
}

/** Two turns with one wrapped tool. What the agent and the tool saw goes into `seen`. */
async function agent({
  baseURL,
  cassette,
  stream = false,
  question = `Charge ${mail}.`,
  temperature = 0,
  seen = [],
}: Given) {
  const client = new OpenAI({ baseURL: `${baseURL}/v1`, apiKey: 'k' })
  const charge = cassette.tool('charge', (input: { card: string }) => {
    seen.push(input)
    return { card: input.card, receipts: [{ to: mail }] }
  })
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: `You work for ${mail}.` },
    { role: 'user', content: question },
  ]
  for (;;) {
    const request = { model: 'gpt-5', messages, tools, temperature }
    const completion = stream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request)
    const message = completion.choices[0]?.message as OpenAI.ChatCompletionMessage
    const { role, content, tool_calls } = message
    seen.push(content)
    messages.push({ role, content, ...(tool_calls?.length && { tool_calls }) })
    if (!tool_calls?.length) return { answer: content, seen }
    for (const call of tool_calls) {
      if (call.type !== 'function') continue
      const result = charge(JSON.parse(call.function.arguments))
      seen.push(result)
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) })
    }
  }
}

for (const stream of [false, true]) {
  test(`what the rules name is nowhere in the file, and the run replays${stream ? ', streamed' : ''}`, async () => {
    await using file = await temporaryCassette()
    const provider = await startFakeProvider({ replies: script() })
    const baseURL = provider.url
    const options = { redact: rules }
    const live = await inTest(file.path, options, (cassette) => agent({ baseURL, cassette, stream }))
    await provider.stop()
    expect(live.result).toMatchObject({ kind: 'recorded', errors: [] })
    // The live agent works with what was said.
    expect(live.value.answer).toBe(`Charged ${card} of ${mail}.`)
    expect(live.value.seen).toContainEqual({ card, to: mail, amount: 20 })

    const text = readFileSync(file.path, 'utf8')
    for (const secret of secrets) expect(text).not.toContain(secret)
    expect(verifyFile(file.path).pass).toBe(true)
    const payloads = loadTrace(file.path).steps.map(({ payload }) => payload)
    expect(payloads[1]).toMatchObject({
      text: 'I charge [redacted].',
      calls: [{ toolName: 'charge', toolInput: { card: '[redacted]', to: '[redacted]', amount: 20 } }],
    })
    expect(payloads[2]).toMatchObject({ toolInput: { card: '[redacted]', to: '[redacted]', amount: 20 } })
    expect(payloads[3]).toMatchObject({ result: { card: '[redacted]', receipts: [{ to: '[redacted]' }] } })
    expect(payloads[4]).toMatchObject({
      systemPrompt: 'You work for [redacted].',
      messages: [
        { content: 'Charge [redacted].' },
        { content: [{ text: 'I charge [redacted].' }, { toolInput: { card: '[redacted]' } }] },
        { content: [{ result: '{"card":"[redacted]","receipts":[{"to":"[redacted]"}]}' }] },
      ],
    })
    expect(payloads.at(-1)).toMatchObject({ event: 'run_completed', result: 'Charged <card> of [redacted].' })

    const replay = await inTest(file.path, options, (cassette) => agent({ baseURL, cassette, stream }))
    expect(replay.result).toMatchObject({ kind: 'replayed', errors: [] })
    expect(replay.value.answer).toBe('Charged <card> of [redacted].')
  })
}

test('both sides are redacted: another value that the rules take out is no difference', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: script() })
  const baseURL = provider.url
  await inTest(file.path, { redact: rules }, (cassette) => agent({ baseURL, cassette }))
  await provider.stop()
  const question = 'Charge bob.ray@acme.dev.'
  const same = await inTest(file.path, { redact: rules }, (cassette) => agent({ baseURL, cassette, question }))
  expect(same.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('rules that came after the recording apply to what it holds', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: script() })
  const baseURL = provider.url
  await inTest(file.path, {}, (cassette) => agent({ baseURL, cassette }))
  await provider.stop()
  expect(readFileSync(file.path, 'utf8')).toContain(mail)
  const replay = await inTest(file.path, { redact: rules }, (cassette) => agent({ baseURL, cassette }))
  expect(replay.result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(replay.value.answer).toBe('Charged <card> of [redacted].')
})

test('a mismatch shows redacted values only, and names the options in force', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: script() })
  const baseURL = provider.url
  const options: CassetteOptions = { redact: [...rules, 'params.user', new RegExp(card)], ignore: ['params.seed'] }
  await inTest(file.path, options, (cassette) => agent({ baseURL, cassette }))
  await provider.stop()
  const { result } = await inTest(file.path, options, (cassette) =>
    agent({ baseURL, cassette, question: `Refund ${mail} and ${card}.` }).catch(() => 'swallowed'),
  )
  expect(result.kind).toBe('failed')
  const [error] = result.errors
  expect(error).toMatchObject({ code: 'RETAKE_CASSETTE_MISMATCH' })
  expect(error?.message).toContain('Refund [redacted]')
  expect(error?.message).toContain(
    '  in force  redact (2 patterns, toolInput.card, result.card, a function, params.user), ignore (params.seed)\n',
  )
  for (const secret of secrets) expect(error?.message + JSON.stringify(error?.details)).not.toContain(secret)
})

test('a tool that is called otherwise is a miss that shows redacted values only', async () => {
  await using file = await temporaryCassette()
  const call = (to: string) => (cassette: Cassette) => {
    const charge = cassette.tool('charge', (_: object) => 'done')
    return (async () => charge({ card, to, mail }))().catch((error) => error)
  }
  const options: CassetteOptions = { redact: rules }
  await inTest(file.path, options, call('shop'))
  const { value, result } = await inTest(file.path, options, call('bank'))
  expect(result.errors).toEqual([value])
  expect(value.message).toContain('to: "shop" → "bank"')
  expect(value.message).toContain('in force  redact')
  for (const secret of secrets) expect(value.message + JSON.stringify(value.details)).not.toContain(secret)
})

test('thinking, its signature and the errors of a provider are redacted', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({
    replies: [
      chatError(500, { message: `upstream ${mail}`, code: 'x' }),
      anthropicReply({
        content: [
          { type: 'thinking', thinking: `${mail} wants more`, signature: `of ${mail}` },
          { type: 'text', text: 'Hello.' },
        ],
      }),
    ],
  })
  const baseURL = provider.url
  const run = () =>
    new Anthropic({ baseURL, apiKey: 'k', maxRetries: 1 }).messages.create({
      model: 'claude-x',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hello.' }],
    })
  const options: CassetteOptions = { redact: [/[\w.]+@acme\.dev/] }
  const { result } = await inTest(file.path, options, run)
  await provider.stop()
  expect(result).toMatchObject({ kind: 'recorded', errors: [] })
  expect(readFileSync(file.path, 'utf8')).not.toContain(mail)
  const replay = await inTest(file.path, options, run)
  expect(replay.result).toMatchObject({ kind: 'replayed', errors: [] })
  expect(replay.value.content).toMatchObject([
    { type: 'thinking', thinking: '[redacted] wants more', signature: 'of [redacted]' },
    { type: 'text', text: 'Hello.' },
  ])
})

test('a secret that a rule takes out does not stop the recording', async () => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: script() })
  const baseURL = provider.url
  const key = `ghp_${'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bD1fG3hJ5'}`
  const question = `Charge with ${key}.`
  const refused = await inTest(file.path, {}, (cassette) => agent({ baseURL, cassette, question }))
  expect(refused.result.errors).toMatchObject([{ code: 'RETAKE_SECRET_FOUND' }])
  await using second = await startFakeProvider({ replies: script() })
  const taken = await inTest(file.path, { redact: [/ghp_\w+/] }, (cassette) =>
    agent({ baseURL: second.url, cassette, question }),
  )
  expect(taken.result).toMatchObject({ kind: 'recorded', errors: [] })
})

test.each<[string, CassetteOptions]>([
  ['changes its own result', { redact: [(text) => `${text}!`] }],
  [
    'throws',
    {
      redact: [
        () => {
          throw new Error('no')
        },
      ],
    },
  ],
])('a rule that %s fails the test, and nothing is written', async (what, options) => {
  await using file = await temporaryCassette()
  await using provider = await startFakeProvider({ replies: script() })
  const { result } = await inTest(file.path, options, (cassette) => agent({ baseURL: provider.url, cassette }))
  expect(result.kind).toBe('failed')
  expect(result.errors).toMatchObject([{ code: 'RETAKE_CONFIG' }])
  expect(result.errors[0]?.message).toMatch(what === 'throws' ? 'redact[0] threw' : 'redact[0] changes its own result')
  expect(() => readFileSync(file.path)).toThrow('ENOENT')
})

test('a rule that is none is refused at once', async () => {
  await using file = await temporaryCassette()
  const open = (options: CassetteOptions) => inTest(file.path, options, async () => 'opened')
  await expect(open({ redact: ['messages['] })).rejects.toMatchObject({ code: 'RETAKE_CONFIG' })
  await expect(open({ redact: ['mesages[0].content'] })).rejects.toThrow(
    '"mesages[0].content" names nothing that is there',
  )
  await expect(open({ redact: [7 as never] })).rejects.toMatchObject({ code: 'RETAKE_CONFIG' })
  await expect(open({ ignore: ['messages['] })).rejects.toMatchObject({ code: 'RETAKE_CONFIG' })
})

test('an ignored path is not compared; every other still is', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: script() })
  const baseURL = provider.url
  const options: CassetteOptions = { ignore: ['params.temperature'] }
  await inTest(file.path, options, (cassette) => agent({ baseURL, cassette }))
  await provider.stop()
  const warm = await inTest(file.path, options, (cassette) => agent({ baseURL, cassette, temperature: 1 }))
  expect(warm.result).toMatchObject({ kind: 'replayed', errors: [] })
  const other = await inTest(file.path, options, (cassette) =>
    agent({ baseURL, cassette, temperature: 1, question: 'Refund.' }).catch(() => 'swallowed'),
  )
  const [error] = other.result.errors
  expect(error?.details.differences).toMatchObject([{ path: 'messages[0].content' }])
  expect(error?.message).toContain('in force  ignore (params.temperature)')
  expect(error?.details).toMatchObject({ inForce: 'ignore (params.temperature)' })
})

test('a request is normalized on both sides, and only for the comparison', async () => {
  await using file = await temporaryCassette()
  const provider = await startFakeProvider({ replies: script() })
  const baseURL = provider.url
  const normalize: NonNullable<CassetteOptions['normalize']> = (request) => {
    for (const message of request.messages) {
      if (typeof message.content === 'string') message.content = message.content.replace(/\d{4}-\d\d-\d\d/, '<date>')
    }
    return request
  }
  const on = (date: string) => (cassette: Cassette) => agent({ baseURL, cassette, question: `It is ${date}.` })
  await inTest(file.path, { normalize }, on('2025-11-30'))
  await provider.stop()
  expect(readFileSync(file.path, 'utf8')).toContain('2025-11-30')
  const { result } = await inTest(file.path, { normalize }, on('2026-01-01'))
  expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  const broken = await inTest(file.path, { normalize: () => undefined as never }, on('2026-01-01')).catch(
    (error) => error,
  )
  expect(broken).toMatchObject({ code: 'RETAKE_CONFIG', message: expect.stringContaining('normalize must give') })
})
