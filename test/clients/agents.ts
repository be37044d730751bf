import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { type Chat, type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai'
import OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { anthropicReply } from '../support/fake-provider/anthropic.ts'
import { chatCall, chatReply } from '../support/fake-provider/chat.ts'
import { type GeminiPart, geminiReply } from '../support/fake-provider/gemini.ts'
import type { Scripted } from '../support/fake-provider/reply.ts'

/** What an agent did, without the ids, times and token counts that a replay does not give back. */
export type Agent = (baseURL: string) => Promise<unknown>

const key = 'sk-test-0123456789'
const openai = (baseURL: string) => new OpenAI({ baseURL: `${baseURL}/v1`, apiKey: key })
const anthropic = (baseURL: string) => new Anthropic({ baseURL, apiKey: key })

const question = { role: 'user' as const, content: 'What is it like in Paris, and how late is it there?' }
const weather = ({ city }: { city: string }) => `18 °C in ${city}`
const time = ({ city }: { city: string }) => `12:30 in ${city}`
const citySchema = {
  type: 'object' as const,
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const chatTools = ['get_weather', 'get_time'].map((name) => ({
  type: 'function' as const,
  function: { name, description: `Tells ${name}.`, parameters: citySchema },
}))
const anthropicTools = ['get_weather', 'get_time'].map((name) => ({
  name,
  description: `Tells ${name}.`,
  input_schema: citySchema,
}))
const run = (name: string, input: unknown) =>
  name === 'get_weather' ? weather(input as { city: string }) : time(input as { city: string })

/** Two turns: two parallel calls, then an answer. */
export const chatScript = (): Scripted[] => [
  chatReply({
    content: 'Let me look.',
    tool_calls: [
      chatCall('call_9aKweather00000000000001', 'get_weather', { city: 'Paris' }),
      chatCall('call_9aKtime00000000000000002', 'get_time', { city: 'Paris' }),
    ],
  }),
  chatReply({ content: 'It is 18 °C in Paris, at half past twelve.' }),
]

export const anthropicScript = (): Scripted[] => [
  anthropicReply({
    content: [
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_01weather', name: 'get_weather', input: { city: 'Paris' } },
      { type: 'tool_use', id: 'toolu_01time', name: 'get_time', input: { city: 'Paris' } },
    ],
  }),
  anthropicReply({ content: [{ type: 'text', text: 'It is 18 °C in Paris, at half past twelve.' }] }),
]

export const chatCreate: Agent = async (baseURL) => {
  const client = openai(baseURL)
  const messages: OpenAI.ChatCompletionMessageParam[] = [question]
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages, tools: chatTools })
    const message = choices[0]?.message as OpenAI.ChatCompletionMessage
    messages.push(message)
    if (!message.tool_calls) return withoutIds(messages, choices[0]?.finish_reason)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const content = run(call.function.name, JSON.parse(call.function.arguments))
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
}

export const chatStreamed: Agent = async (baseURL) => {
  const client = openai(baseURL)
  const messages: OpenAI.ChatCompletionMessageParam[] = [question]
  for (;;) {
    const stream = client.chat.completions.stream({ model: 'gpt-5', messages, tools: chatTools })
    const { choices } = await stream.finalChatCompletion()
    const message = choices[0]?.message as OpenAI.ChatCompletionMessage
    messages.push({ ...message, content: message.content ?? null })
    if (!message.tool_calls?.length) return withoutIds(messages, choices[0]?.finish_reason)
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const content = run(call.function.name, JSON.parse(call.function.arguments))
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
}

const runnable = (stream: boolean): Agent =>
  async function runTools(baseURL) {
    const runner = openai(baseURL).chat.completions.runTools({
      model: 'gpt-5',
      messages: [question],
      stream: stream as false,
      tools: chatTools.map(({ function: definition }) => ({
        type: 'function' as const,
        function: {
          ...definition,
          parse: JSON.parse,
          function: (input: { city: string }) => run(definition.name, input),
        },
      })),
    })
    const text = await runner.finalContent()
    return { text, messages: withoutIds(runner.messages, 'stop') }
  }

export const chatRunTools = runnable(false)
export const chatRunToolsStreamed = runnable(true)

export const parseScript = (): Scripted[] => [chatReply({ content: '{"city":"Paris","celsius":18}' })]

export const chatParse: Agent = async (baseURL) => {
  const { choices } = await openai(baseURL).chat.completions.parse({
    model: 'gpt-5',
    messages: [question],
    response_format: zodResponseFormat(z.object({ city: z.string(), celsius: z.number() }), 'weather'),
  })
  return choices[0]?.message.parsed
}

export const anthropicCreate: Agent = (baseURL) =>
  anthropicLoop((request) => anthropic(baseURL).messages.create(request))

export const anthropicStreamed: Agent = (baseURL) =>
  anthropicLoop((request) => anthropic(baseURL).messages.stream(request).finalMessage())

async function anthropicLoop(
  create: (request: Anthropic.MessageCreateParamsNonStreaming) => Promise<Anthropic.Message>,
): Promise<unknown> {
  const messages: Anthropic.MessageParam[] = [question]
  for (;;) {
    const reply = await create({ model: 'claude-sonnet-5-5', max_tokens: 500, messages, tools: anthropicTools })
    messages.push({ role: 'assistant', content: reply.content as Anthropic.ContentBlockParam[] })
    const calls = reply.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) return withoutIds(messages, reply.stop_reason)
    const content = calls.map(({ id, name, input }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: run(name, input),
    }))
    messages.push({ role: 'user', content })
  }
}

export const anthropicToolRunner: Agent = async (baseURL) => {
  const runner = anthropic(baseURL).beta.messages.toolRunner({
    model: 'claude-sonnet-5-5',
    max_tokens: 500,
    messages: [question],
    thread: false,
    tools: ['get_weather', 'get_time'].map((name) =>
      betaZodTool({
        name,
        description: `Tells ${name}.`,
        inputSchema: z.object({ city: z.string() }),
        run: (input) => run(name, input),
      }),
    ),
  } as never)
  return withoutIds(await runner, 'end')
}

/** Ids of calls are optional on this wire. */
export const geminiScript = (withIds = true): Scripted[] => {
  const call = (id: string, name: string): GeminiPart => ({
    functionCall: { ...(withIds && { id }), name, args: { city: 'Paris' } },
    ...(name === 'get_weather' && { thoughtSignature: 'c2lnbmF0dXJl' }),
  })
  const look: GeminiPart[] = [
    { text: 'Which city? Paris.', thought: true },
    { text: 'Let me look.' },
    call('f7weather', 'get_weather'),
    call('f7time', 'get_time'),
  ]
  const answer: GeminiPart[] = [{ text: 'It is 18 °C in Paris, at half past twelve.' }]
  return [look, answer].map((parts) => geminiReply({ parts }, { pieces: 3 }))
}

const geminiConfig = {
  temperature: 0,
  systemInstruction: 'Answer briefly.',
  tools: [
    {
      functionDeclarations: ['get_weather', 'get_time'].map((name) => ({
        name,
        description: `Tells ${name}.`,
        parametersJsonSchema: citySchema,
      })),
    },
  ],
}

/** A chat of Google's SDK, which keeps the history, with a tool loop around it. */
const geminiChat = (send: (chat: Chat, message: string | Part[]) => Promise<GenerateContentResponse[]>): Agent =>
  async function chats(baseURL) {
    const chat = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: baseURL } }).chats.create({
      model: 'gemini-3-pro',
      config: geminiConfig,
    })
    let message: string | Part[] = question.content
    for (;;) {
      const responses = await send(chat, message)
      const calls = responses.flatMap(({ functionCalls = [] }) => functionCalls)
      if (calls.length === 0) {
        const text = responses.map((response) => response.text ?? '').join('')
        const thoughts = responses.at(-1)?.usageMetadata?.thoughtsTokenCount
        return { text, thoughts, reason: responses.at(-1)?.candidates?.[0]?.finishReason }
      }
      message = calls.map(({ id, name = '', args }) => ({
        functionResponse: { ...(id && { id }), name, response: { output: run(name, args) } },
      }))
    }
  }

export const geminiChatCreate = geminiChat(async (chat, message) => [await chat.sendMessage({ message })])
export const geminiChatStreamed = geminiChat(async (chat, message) => {
  const responses: GenerateContentResponse[] = []
  for await (const response of await chat.sendMessageStream({ message })) responses.push(response)
  return responses
})

/** `streamGenerateContent` without `alt=sse`, as a client without an SDK of Google asks for it. */
export const geminiArrayStream: Agent = async (baseURL) => {
  const contents: object[] = [{ role: 'user', parts: [{ text: question.content }] }]
  for (;;) {
    const response = await fetch(`${baseURL}/v1beta/models/gemini-3-pro:streamGenerateContent?key=${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contents, tools: geminiConfig.tools }),
    })
    const responses = (await response.json()) as GenerateContentResponse[]
    const parts = responses.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
    contents.push({ role: 'model', parts })
    const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))
    if (calls.length === 0) return parts.map(({ text }) => text ?? '').join('')
    for (const { name = '', args } of calls) {
      contents.push({ role: 'user', parts: [{ functionResponse: { name, response: { output: run(name, args) } } }] })
    }
  }
}

const volatile = new Set(['id', 'tool_call_id', 'tool_use_id', 'created', 'usage', 'parsed'])

/** Deep copy without the members that differ between a recording and its replay. */
function withoutIds(value: unknown, ...rest: unknown[]): unknown {
  const strip = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(strip)
    if (typeof item !== 'object' || item === null) return item
    return Object.fromEntries(
      Object.entries(item).flatMap(([name, member]) => (volatile.has(name) ? [] : [[name, strip(member)]])),
    )
  }
  return rest.length > 0 ? [strip(value), ...rest] : strip(value)
}
