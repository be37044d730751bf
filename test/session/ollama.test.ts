import { existsSync } from 'node:fs'
import { Ollama } from 'ollama'
import { expect, test } from 'vitest'
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts'
import {
  type OllamaTurn,
  ollamaError,
  ollamaErrorLine,
  ollamaReply,
  ollamaStream,
} from '../support/fake-provider/ollama.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'
import { inTest, temporaryCassette } from './in-test.ts'
import { outcomeOf, recordAndReplay } from './record-and-replay.ts'

/** What an agent sees through the client of Ollama. */

const model = 'qwen3:8b'
const question = { role: 'user', content: 'What is it like in Paris, and how late is it there?' }
const tools = ['get_weather', 'get_time'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `Tells ${name}.`,
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}))

interface Said {
  content: string
  thinking: string
  tool_calls: unknown[]
  [counts: string]: unknown
}

/** One request; of a stream the texts in the pieces in which they came. */
async function ask(host: string, messages: object[], stream: boolean, options: object = {}): Promise<Said[]> {
  const request = { model, messages: messages as never, tools, ...options }
  const client = new Ollama({ host })
  const replies = stream ? await client.chat({ ...request, stream: true }) : [await client.chat(request)]
  const said: Said[] = []
  for await (const { created_at: _, message, ...rest } of replies) {
    const { content, thinking = '', tool_calls = [] } = message
    said.push({ ...rest, content, thinking, tool_calls: tool_calls.map(({ function: given }) => given) })
  }
  return said
}

const joined = (said: Said[], member: 'content' | 'thinking') => said.map((one) => one[member]).join('')

/** An agent with two tools, until the model asks for none. `names` where it names the tool of a result. */
const loop = (stream: boolean, names = true) =>
  async function agent(host: string): Promise<Said[][]> {
    const messages: object[] = [question]
    const turns: Said[][] = []
    for (;;) {
      const said = await ask(host, messages, stream)
      turns.push(said)
      const calls = said.flatMap(({ tool_calls }) => tool_calls) as { name: string; arguments: { city: string } }[]
      messages.push({
        role: 'assistant',
        content: joined(said, 'content'),
        thinking: joined(said, 'thinking'),
        ...(calls.length > 0 && { tool_calls: calls.map((given) => ({ function: given })) }),
      })
      if (calls.length === 0) return turns
      for (const { name, arguments: input } of calls)
        messages.push({ role: 'tool', content: `${name} of ${input.city}`, ...(names && { tool_name: name }) })
    }
  }

const call = (index: number, name: string, id?: string) => ({
  ...(id && { id }),
  function: { index, name, arguments: { city: 'Paris' } },
})
const script = (withIds: boolean): Scripted[] => {
  const look: OllamaTurn = {
    thinking: 'Which city? Paris.',
    content: 'Let me look.',
    tool_calls: [
      call(0, 'get_weather', withIds ? 'call_2k7ryu9k' : undefined),
      call(1, 'get_time', withIds ? 'call_gsiiy8py' : undefined),
    ],
  }
  return [look, { content: 'It is 18 °C in Paris, at half past twelve.' }].map((turn) =>
    ollamaReply(turn, { pieces: 3 }),
  )
}

test.each([
  ['JSON', loop(false), true],
  ['JSON, calls without ids', loop(false), false],
  ['JSON, results without a name', loop(false, false), false],
  ['a stream', loop(true), true],
  ['a stream, calls without ids', loop(true), false],
])('an agent over %s sees in a replay what it saw', async (_, agent, withIds) => {
  const { recorded, replayed, requests } = await recordAndReplay(script(withIds), agent)
  expect(requests).toBe(2)
  expect(recorded.value.map((said) => joined(said, 'content'))).toEqual([
    'Let me look.',
    'It is 18 °C in Paris, at half past twelve.',
  ])
  expect(recorded.value[0]?.flatMap(({ tool_calls }) => tool_calls)).toHaveLength(2)
  expect(recorded.value.at(-1)?.at(-1)).toMatchObject({ done: true, eval_count: 145, eval_duration: 1361034000 })
  expect(recorded.result).toMatchObject({ kind: 'recorded', errors: [] })
  // Each call comes in a line of its own, whichever way it came.
  const calls = (turns: Said[][]) => turns.map((said) => said.flatMap(({ tool_calls }) => tool_calls))
  const rest = (turns: Said[][]) => turns.map((said) => said.filter(({ tool_calls }) => tool_calls.length === 0))
  expect(calls(replayed.value)).toEqual(calls(recorded.value))
  expect(rest(replayed.value)).toEqual(rest(recorded.value))
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [], liveCalls: 0, unused: 0 })
})

test('images, options, a schema and thinking are compared', async () => {
  const base = { format: { type: 'object' }, think: true, keep_alive: '5m', options: { temperature: 0, seed: 1 } }
  const image = Buffer.from('an image').toString('base64')
  const seen = [{ role: 'user', content: 'What is this?', images: [image] }]
  const others: [string, object[], object][] = [
    ['messages[0]', [{ ...seen[0], images: [Buffer.from('another').toString('base64')] }], base],
    ['params.temperature', seen, { ...base, options: { temperature: 1, seed: 1 } }],
    ['params.numCtx', seen, { ...base, options: { ...base.options, num_ctx: 2048 } }],
    ['params.responseFormat', seen, { ...base, format: 'json' }],
    ['params.thinking', seen, { ...base, think: false }],
    ['params.other', seen, { ...base, novelty: 1 }],
  ]
  for (const [path, messages, options] of others) {
    const { replayed } = await recordAndReplay([ollamaReply({ content: 'A cat.' })], (url, { state }) =>
      outcomeOf(state === 'recording' ? ask(url, seen, false, base) : ask(url, messages, false, options)),
    )
    expect(replayed.result.errors[0]?.message).toContain(path)
    expect(replayed.value).toMatchObject({ error: { message: expect.stringContaining('[retake]') } })
  }
  const { replayed } = await recordAndReplay([ollamaReply({ content: 'A cat.' })], (url, { state }) =>
    ask(url, seen, false, state === 'recording' ? base : { ...base, keep_alive: -1, logprobs: false }),
  )
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test.each([
  ['400', ollamaError(400, 'registry.ollama.ai/library/gemma:2b does not support tools')],
  ['404', ollamaError(404, "model 'nonexistent-model:latest' not found")],
  ['429', ollamaError(429, 'you have reached your hourly usage limit')],
  ['500', ollamaError(500, 'llama runner process has terminated: exit status 2')],
  ['no JSON', { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' }],
])('an error (%s) comes back in the words of the server', async (_, reply) => {
  for (const stream of [false, true]) {
    const { recorded, replayed, requests } = await recordAndReplay([reply], (url) =>
      outcomeOf(ask(url, [question], stream)),
    )
    expect(requests).toBe(1)
    expect(recorded.value).toMatchObject({ error: { name: 'ResponseError' } })
    expect(replayed.value).toEqual(recorded.value)
    expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
  }
})

const pieces = ollamaStream({ content: 'one two three four' }, { pieces: 4, pauseMs: 10 })

/** The texts that came, and how the stream ended. */
const readAll = async (host: string) => {
  const texts: string[] = []
  const end = await outcomeOf(
    (async () => {
      for await (const { message } of await new Ollama({ host }).chat({ model, messages: [question], stream: true }))
        texts.push(message.content)
    })(),
  )
  return { texts, end }
}

test.each([
  ['an error among its lines', { ...pieces, chunks: [...(pieces.chunks ?? []).slice(0, 2), ollamaErrorLine('boom')] }],
  ['a cut connection', { ...pieces, cutAfter: 2 }],
  ['an end before the last line', { ...pieces, chunks: (pieces.chunks ?? []).slice(0, 2) }],
])('a stream with %s breaks at the same place', async (name, reply) => {
  const { recorded, replayed } = await recordAndReplay([reply], readAll)
  expect(recorded.value.texts).toEqual(['one t', 'wo th'])
  expect(recorded.value.end).toHaveProperty('error')
  expect(replayed.value.texts).toEqual(recorded.value.texts)
  // A clean end without the last line is replayed as a broken connection.
  if (!name.startsWith('an end')) expect(replayed.value).toEqual(recorded.value)
  expect(replayed.value.end).toHaveProperty('error')
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('an agent that stops reading sees the same lines', async () => {
  const { recorded, replayed } = await recordAndReplay([pieces], async (host) => {
    const texts: string[] = []
    const stream = await new Ollama({ host }).chat({ model, messages: [question], stream: true })
    for await (const { message } of stream) {
      texts.push(message.content)
      if (texts.length === 2) break
    }
    return texts
  })
  expect(recorded.value).toEqual(['one t', 'wo th'])
  expect(replayed.value).toEqual(recorded.value)
  expect(replayed.result).toMatchObject({ kind: 'replayed', errors: [] })
})

test('log probabilities are refused when they come, and nothing is written', async () => {
  await using file = await temporaryCassette()
  const message = { role: 'assistant', content: 'x' }
  const body = JSON.stringify({ model, message, done: true, done_reason: 'stop', logprobs: [{ token: 'x' }] })
  await using provider = await startFakeProvider({ replies: [{ body }] })
  const { result } = await inTest(file.path, {}, () => outcomeOf(ask(provider.url, [question], false)))
  expect(result.errors[0]).toMatchObject({ code: 'RETAKE_UNSUPPORTED', details: { name: 'logprobs in the reply' } })
  expect(existsSync(file.path)).toBe(false)
})
