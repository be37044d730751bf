import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { type Cassette, type CassetteOptions, createSession, toolResult } from '@retake/session'
import { loadTrace } from '@retake/trace'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { outsideConnections } from '../support/outside-connections.ts'
import { inTest, temporaryCassette } from './in-test.ts'

const corpus = join(import.meta.dirname, '../corpus')
const backspin = (name: string) => join(corpus, 'backspin', `${name}.backspin.jsonl`)
const stepfork = (name: string) => join(corpus, 'stepfork', `${name}.sftrace`)
const openai = () => new OpenAI({ apiKey: 'no-key' })

const replay = async <T>(from: string, body: (cassette: Cassette) => Promise<T>, options: CassetteOptions = {}) => {
  await using file = await temporaryCassette()
  const run = await inTest(file.path, { ...options, from }, body)
  expect(existsSync(file.path)).toBe(false)
  expect(outsideConnections).toEqual([])
  return run
}

const weatherTool: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

/** The agent that was recorded in Python, in JavaScript. */
const askWeather = async (cassette: Cassette, question = 'How warm is it in Paris?', stream = false) => {
  let runs = 0
  const tools = cassette.tools({
    get_weather: async (_: { city: string }) => {
      runs++
      return 'live'
    },
  })
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You answer questions about the weather.' },
    { role: 'user', content: question },
  ]
  const ask = async () => {
    const request = { model: 'gpt-4o-mini', messages, tools: [weatherTool], temperature: 0.2 }
    const chat = openai().chat.completions
    const done = stream ? await chat.stream(request).finalChatCompletion() : await chat.create(request)
    return done.choices[0]?.message
  }
  for (let turn = 0; turn < 3; turn++) {
    const message = await ask()
    if (!message?.tool_calls) return { answer: message?.content, runs }
    messages.push(message)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const content = await tools.get_weather(JSON.parse(call.function.arguments))
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
  throw new TypeError('the agent went on')
}

describe('a run of backspin', () => {
  test.each([false, true])('replays through the openai SDK, tools included (stream: %s)', async (stream) => {
    const { value, result, cassette } = await replay(backspin('written-by-python'), (used) =>
      askWeather(used, undefined, stream),
    )
    expect(value).toEqual({ answer: 'It is 22 °C and sunny in Paris.', runs: 0 })
    expect(result).toMatchObject({ kind: 'replayed', liveCalls: 0, replayedCalls: 2, unused: 0, errors: [] })
    expect(cassette).toMatchObject({ state: 'replaying', path: backspin('written-by-python') })
  })

  test('is strict: another question is a miss', async () => {
    await expect(
      replay(backspin('written-by-python'), (cassette) => askWeather(cassette, 'And in Rome?')),
    ).rejects.toThrow('differs from the cassette')
  })

  test('replays through the Anthropic SDK, put together from a stream as it was', async () => {
    const { value, result } = await replay(backspin('anthropic'), () =>
      new Anthropic({ apiKey: 'no-key' }).messages.create({
        model: 'claude-haiku-4-5',
        max_tokens: 64,
        system: 'Be short.',
        messages: [{ role: 'user', content: 'Say hi.' }],
      }),
    )
    expect(value).toMatchObject({
      content: [{ type: 'text', text: 'Hi.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 12, output_tokens: 4 },
    })
    expect(result).toMatchObject({ kind: 'replayed', errors: [] })
  })

  test('a failed call fails once with its status, and the next one is answered', async () => {
    const ask = () =>
      openai().chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Say hi.' }] })
    const { value, result } = await replay(backspin('failed-call'), async () => [
      await ask().catch((error: unknown) => error),
      (await ask()).choices[0]?.message.content,
    ])
    expect(value).toMatchObject([{ status: 429, message: expect.stringContaining('Rate limit reached') }, 'Hi.'])
    expect(result).toMatchObject({ kind: 'replayed', replayedCalls: 2, errors: [] })
  })
})

interface Triage {
  messages: OpenAI.ChatCompletionMessageParam[]
  model: string
  temperature: number
  max_tokens: number
}

/** The request and the reply that a real provider gave. */
const triage = () => {
  const events = readFileSync(join(stepfork('incident-triage'), 'events.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  const parsed = events.map((line) => JSON.parse(line))
  const request: Triage = parsed.find(({ type }) => type === 'llm_request').input.request
  const reply: OpenAI.ChatCompletion = parsed.find(({ type }) => type === 'llm_response').output
  return { request, answer: reply.choices[0]?.message.content }
}

const copyOf = (name: string, change: (folder: string) => void): string => {
  const folder = join(mkdtempSync(join(tmpdir(), 'retake-')), `${name}.sftrace`)
  cpSync(stepfork(name), folder, { recursive: true })
  change(folder)
  return folder
}

describe('a Stepfork bundle', () => {
  const ask = async () => (await openai().chat.completions.create(triage().request)).choices[0]?.message.content

  test('replays through the openai SDK where it holds an exchange with its API; its tools give their results', async () => {
    const { value, result } = await replay(stepfork('incident-triage'), async (cassette) => {
      const health = cassette.tool('lookup_service_health', async (_: { service: string }) => ({ status: 'live' }))
      await health({ service: 'checkout-api' })
      return { health: await health({ service: 'payments-api' }), answer: await ask() }
    })
    expect(value).toMatchObject({ health: { status: 'degraded', availability: 0.88 }, answer: triage().answer })
    expect(result).toMatchObject({ kind: 'replayed', liveCalls: 0, replayedCalls: 1 })
  })

  test.each([['no integrity record', (f: string) => rmSync(join(f, 'integrity.json'))]])(
    'replays with %s',
    async (_, change) => {
      expect((await replay(copyOf('incident-triage', change), ask)).value).toBe(triage().answer)
    },
  )

  test('one that was changed is not replayed', async () => {
    const changed = copyOf('incident-triage', (folder) => {
      const path = join(folder, 'events.jsonl')
      writeFileSync(path, readFileSync(path, 'utf8').replace('P0, page', 'P3, ignore'))
    })
    await expect(replay(changed, ask)).rejects.toThrow(
      expect.objectContaining({ code: 'RETAKE_CASSETTE_CORRUPT', message: expect.stringContaining('payload_hashes') }),
    )
  })

  test.each([
    ['successful_run', 'evt_success_002 provider: the protocol'],
    ['failed_llm_run', 'evt_llm_002 provider: the protocol'],
    ['langgraph_failure', 'evt_d164cfd62e524aefb1d21ce258c1c8e0 provider: the protocol'],
  ])('%s is refused with what it lacks', async (name, missing) => {
    await expect(replay(stepfork(name), ask)).rejects.toThrow(
      expect.objectContaining({ code: 'RETAKE_CONFIG', message: expect.stringContaining(missing) }),
    )
  })

  test.each([
    [
      'messages',
      (text: string) =>
        text.replace(
          /"messages":\[.*?\],"model":"gemini-2.5-flash","temperature"/,
          '"model":"gemini-2.5-flash","temperature"',
        ),
      'messages of the request',
    ],
    [
      'policy',
      (text: string) =>
        text.replace(
          '"type":"llm_request","timestamp":"2026-10-10T05:01:09.518357Z","duration_ms":null,"status":"ok","replay_policy":"frozen"',
          '"type":"llm_request","timestamp":"2026-10-10T05:01:09.518357Z","duration_ms":null,"status":"ok","replay_policy":"forbidden"',
        ),
      'leave for a replay: it is forbidden',
    ],
  ])('without %s it is refused', async (_, change, missing) => {
    const folder = copyOf('incident-triage', (copy) => {
      rmSync(join(copy, 'integrity.json'))
      const path = join(copy, 'events.jsonl')
      const text = readFileSync(path, 'utf8')
      const changed = change(text).replaceAll(
        /"(?:in|out)put_hash":"[^"]+"/g,
        (hash) => `${hash.slice(0, hash.indexOf(':'))}:null`,
      )
      expect(changed).not.toBe(text)
      writeFileSync(path, changed)
    })
    await expect(replay(folder, ask)).rejects.toThrow(missing)
  })
})

describe('the option', () => {
  test('replays a cassette of another test; update and CI change nothing, and nothing is written', async () => {
    await using own = await temporaryCassette()
    const from = backspin('anthropic')
    const before = readdirSync(join(from, '..'))
    for (const mode of ['auto', 'update', 'replay'] as const) {
      const run = await inTest(own.path, { from, mode, allowUnused: true }, async () => 1)
      expect(run.result).toMatchObject({ kind: 'replayed', path: from })
    }
    expect([existsSync(own.path), readdirSync(join(from, '..'))]).toEqual([false, before])
  })

  test('a session of a process needs no other file', async () => {
    const session = createSession({ from: backspin('anthropic'), allowUnused: true })
    expect(session.state).toBe('replaying')
    expect(await session.finish()).toMatchObject({ mode: 'replay' })
  })

  test('a request that nobody makes is left over', async () => {
    const { result } = await replay(backspin('anthropic'), async () => 1)
    expect(result).toMatchObject({ kind: 'failed', unused: 1, errors: [{ code: 'RETAKE_UNUSED_STEPS' }] })
  })

  test.each([
    ['a file that is not there', { from: '/nowhere.json' }, 'there is no such file'],
    ['a file of no known format', { from: join(corpus, 'backspin/SOURCES.md') }, 'in no format that retake knows'],
    ['a script beside it', { from: backspin('anthropic'), script: [] }, 'give one of them'],
  ])('%s is refused', async (_, { from, ...options }, message) => {
    await expect(replay(from, async () => 1, options)).rejects.toThrow(message)
  })
})

test('a fork starts as the run of another tool, and is replayed from a cassette of its own', async () => {
  await using file = await temporaryCassette()
  const fork = {
    from: backspin('written-by-python'),
    at: toolResult('get_weather'),
    set: '2C, snow',
    then: ['It is cold in Paris.'],
  }
  for (const kind of ['recorded', 'replayed']) {
    const { value, result } = await inTest(file.path, { fork }, (cassette) => askWeather(cassette))
    expect([value.answer, result.kind, result.errors]).toEqual(['It is cold in Paris.', kind, []])
  }
  expect(loadTrace(file.path)).toMatchObject({ parentId: '9f31c2ab77e0' })
  const none = { ...fork, from: join(corpus, 'backspin/SOURCES.md') }
  await expect(inTest(`${file.path}.other.cassette.json`, { fork: none }, async () => 1)).rejects.toThrow(
    'the file of the option "fork.from" is in no format that retake knows',
  )
})
