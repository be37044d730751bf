import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI, type Part, Type } from '@google/genai'
import { readVcr } from '@retake/formats'
import { formatCassette } from '@retake/trace'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { inTest, temporaryCassette } from './in-test.ts'

const apiKey = 'k-0123456789abcdef'
const corpus = join(import.meta.dirname, '../corpus/vcr')

/** Imports a recording, and runs an agent over it with nothing but that. */
async function replayed<T>(name: string, agent: () => Promise<T>): Promise<T> {
  await using file = await temporaryCassette()
  const source = join(corpus, name)
  const { trace, extras, lost } = readVcr(await readFile(source, 'utf8'), source)
  expect(lost).toEqual([])
  await mkdir(dirname(file.path), { recursive: true })
  await writeFile(file.path, formatCassette({ trace, extras, format: 'v3' }))
  const { value, result } = await inTest(file.path, { mode: 'replay' }, agent)
  expect(result).toMatchObject({ kind: 'replayed', liveCalls: 0, replayedCalls: 2, unused: 0, errors: [] })
  return value
}

const city = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}

/** An agent with one tool. */
async function askForWeather(): Promise<string | null | undefined> {
  const client = new OpenAI({ apiKey })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: "What's the weather in Paris?" }]
  const ask = () =>
    client.chat.completions.create({
      ...{ model: 'gpt-4o-mini', messages, tool_choice: 'auto' },
      tools: [{ type: 'function', function: { name: 'get_weather', description: '', parameters: city, strict: true } }],
    })
  const [first] = (await ask()).choices
  const [call] = first?.message.tool_calls ?? []
  if (!first || call?.type !== 'function') throw new TypeError('no call')
  expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Paris' })
  messages.push(first.message, { role: 'tool', tool_call_id: call.id, content: "It's sunny in Paris." })
  const last = await ask()
  expect(last.usage?.prompt_tokens).toBeGreaterThan(0)
  return last.choices[0]?.message.content
}

test('OpenAI, with responses in gzip', async () => {
  expect(await replayed('openai-gzip.yaml', askForWeather)).toMatch(/sunny/)
})

test('a recording is replayed as it is, too', async () => {
  await using file = await temporaryCassette()
  const { value, result } = await inTest(file.path, { from: join(corpus, 'openai-gzip.yaml') }, askForWeather)
  expect(value).toMatch(/sunny/)
  expect(result).toMatchObject({ kind: 'replayed', liveCalls: 0, unused: 0, errors: [] })
})

test('another question than the recorded one is a miss', async () => {
  await using file = await temporaryCassette()
  const ask = () =>
    new OpenAI({ apiKey }).chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'Hi' }],
    })
  await expect(inTest(file.path, { from: join(corpus, 'openai-gzip.yaml') }, ask)).rejects.toThrow(
    'RETAKE_CASSETTE_MISMATCH',
  )
})

test('OpenAI, streamed', async () => {
  const asked = await replayed('openai-stream.yaml', async () => {
    const client = new OpenAI({ apiKey })
    const question: OpenAI.ChatCompletionMessageParam = { role: 'user', content: 'What is the current llm version?' }
    const ask = async (messages: OpenAI.ChatCompletionMessageParam[]) => {
      const chunks = []
      const parameters = { type: 'object', properties: {} }
      const stream = await client.chat.completions.create({
        ...{ model: 'muse-spark-1.1', messages, stream: true, stream_options: { include_usage: true } },
        tools: [
          {
            type: 'function',
            function: { name: 'llm_version', description: 'Return the installed version of llm', parameters },
          },
        ],
      })
      for await (const chunk of stream) chunks.push(chunk)
      return chunks
    }
    const first = await ask([question])
    const called = first.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []))
    await ask([
      question,
      { role: 'assistant', content: '' },
      {
        role: 'assistant',
        tool_calls: [{ id: called[0]?.id ?? '', type: 'function', function: { name: 'llm_version', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: called[0]?.id ?? '', content: '0.fixed-version' },
    ])
    return called[0]?.function?.name
  })
  expect(asked).toBe('llm_version')
})

test('Anthropic, with bodies as parsed JSON', async () => {
  const answer = await replayed('anthropic-parsed.yaml', async () => {
    const client = new Anthropic({ apiKey })
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: "What's the weather in San Francisco?" }]
    const ask = () =>
      client.messages.create({
        ...{ model: 'claude-sonnet-4-5', max_tokens: 4096, messages, tool_choice: { type: 'auto' } },
        tools: [
          { name: 'get_weather', description: '', input_schema: city as Anthropic.Tool.InputSchema, strict: true },
        ],
      })
    const { content, stop_reason: reason } = await ask()
    const call = content.find((block) => block.type === 'tool_use')
    expect([reason, call?.input]).toEqual(['tool_use', { city: 'San Francisco' }])
    const result = {
      type: 'tool_result' as const,
      tool_use_id: call?.id ?? '',
      content: 'Weather in San Francisco: Sunny, 22°C',
    }
    messages.push({ role: 'assistant', content }, { role: 'user', content: [result] })
    return (await ask()).content
  })
  expect(answer).toMatchObject([{ type: 'text', text: expect.stringContaining('sunny with a temperature of 22°C') }])
})

test('Gemini, with two calls at once', async () => {
  const answer = await replayed('gemini.yaml', async () => {
    const { models } = new GoogleGenAI({ apiKey })
    const text = "What's the weather in Berlin (52.5200, 13.4050) and what's the best language to learn?"
    const contents: Content[] = [{ role: 'user', parts: [{ text }] }]
    const at = (name: string, example: string) => ({ type: Type.STRING, description: `${name} (e.g., ${example})` })
    const weather = {
      type: Type.OBJECT,
      properties: { latitude: at('Latitude', '52.5200'), longitude: at('Longitude', '13.4050') },
      required: ['latitude', 'longitude'],
    }
    const nothing = { type: Type.OBJECT, properties: {}, required: [] }
    const functionDeclarations = [
      { name: 'weather', description: 'Gets current weather for a location', parameters: weather },
      { name: 'best_language_to_learn', description: 'Gets the best language to learn', parameters: nothing },
    ]
    const ask = () =>
      models.generateContent({ model: 'gemini-2.5-flash', contents, config: { tools: [{ functionDeclarations }] } })
    const first = await ask()
    const gave: Record<string, string> = {
      weather: 'Current weather at 52.5200, 13.4050: 15°C, Wind: 10 km/h',
      best_language_to_learn: 'Ruby',
    }
    const results = (first.functionCalls ?? []).map(
      ({ name = '' }): Part => ({ functionResponse: { name, response: { name, content: [{ text: gave[name] }] } } }),
    )
    contents.push(first.candidates?.[0]?.content ?? {}, { role: 'user', parts: results })
    return (await ask()).text
  })
  expect(answer).toMatch(/15°C.*Ruby/)
})
