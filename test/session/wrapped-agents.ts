import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { type Content, GoogleGenAI } from '@google/genai'
import { type BaseMessage, HumanMessage } from '@langchain/core/messages'
import { tool as langchainTool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, tool as agentsTool, OpenAIResponsesModel, run, setTracingDisabled } from '@openai/agents'
import type { Cassette } from '@retake/session'
import { tool as aiTool, generateText, isStepCount } from 'ai'
import OpenAI from 'openai'
import { z } from 'zod'
import { apiKey, question, toolSpecs } from '../matrix/tools.ts'

setTracingDisabled(true)

/** What the tools of an agent do; `get_weather` gets a city. */
export interface Doing {
  get_weather(input: { city: string }): unknown
  get_time(): unknown
}

/** An agent that hands the tools of its SDK to the cassette, and what it answers. */
export type WrappedAgent = (url: string, cassette: Pick<Cassette, 'tools'>, doing: Doing) => Promise<unknown>

const city = z.object({ city: z.string() })
const nothing = z.object({})
const [weather, time] = toolSpecs.map(({ description }) => description) as [string, string]

/** What an agent with a loop of its own tells the model of a tool. */
const told = async (
  tools: Record<string, (input: never) => unknown>,
  name: string,
  input: unknown,
): Promise<string> => {
  try {
    return String(await tools[name]?.(input as never))
  } catch (error) {
    return `failed: ${(error as Error).message}`
  }
}

const plain = (cassette: Pick<Cassette, 'tools'>, doing: Doing) =>
  cassette.tools({
    get_weather: async (input: { city: string }) => doing.get_weather(input),
    get_time: async (_: object) => doing.get_time(),
  })

const openaiChat: WrappedAgent = async (url, cassette, doing) => {
  const tools = plain(cassette, doing)
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'gpt-5', messages })
    const message = choices[0]?.message as OpenAI.ChatCompletionMessage
    messages.push(message)
    if (!message.tool_calls) return message.content
    const results = message.tool_calls.map(async (call) => {
      const { name, arguments: input } = (call as OpenAI.ChatCompletionMessageFunctionToolCall).function
      return { role: 'tool' as const, tool_call_id: call.id, content: await told(tools, name, JSON.parse(input)) }
    })
    messages.push(...(await Promise.all(results)))
  }
}

const responses: WrappedAgent = async (url, cassette, doing) => {
  const tools = plain(cassette, doing)
  const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
  const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: question }]
  for (;;) {
    const { output, output_text } = await client.responses.create({ model: 'gpt-5', input })
    input.push(...(output as OpenAI.Responses.ResponseInputItem[]))
    const calls = output.filter((item) => item.type === 'function_call')
    if (calls.length === 0) return output_text
    const results = calls.map(async ({ call_id, name, arguments: given }) => ({
      type: 'function_call_output' as const,
      call_id,
      output: await told(tools, name, JSON.parse(given)),
    }))
    input.push(...(await Promise.all(results)))
  }
}

const anthropic: WrappedAgent = async (url, cassette, doing) => {
  const tools = cassette.tools({
    get_weather: betaZodTool({
      name: 'get_weather',
      description: weather,
      inputSchema: city,
      run: async (input) => String(await doing.get_weather(input)),
    }),
    get_time: betaZodTool({
      name: 'get_time',
      description: time,
      inputSchema: nothing,
      run: async () => String(await doing.get_time()),
    }),
  })
  const reply = await new Anthropic({ apiKey, baseURL: url, maxRetries: 0 }).beta.messages
    .toolRunner({
      model: 'claude-sonnet-5-5',
      max_tokens: 2000,
      messages: [{ role: 'user', content: question }],
      tools: Object.values(tools),
    })
    .runUntilDone()
  return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
}

const genai: WrappedAgent = async (url, cassette, doing) => {
  const tools = plain(cassette, doing)
  const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
  const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }]
  for (;;) {
    const response = await models.generateContent({ model: 'gemini-3-pro', contents })
    contents.push(response.candidates?.[0]?.content ?? {})
    const calls = response.functionCalls ?? []
    if (calls.length === 0) return response.text
    const parts = calls.map(async ({ id = '', name = '', args }) => ({
      functionResponse: { id, name, response: { output: await told(tools, name, args) } },
    }))
    contents.push({ role: 'user', parts: await Promise.all(parts) })
  }
}

const aiSdk: WrappedAgent = async (url, cassette, doing) => {
  const tools = cassette.tools({
    get_weather: aiTool({ description: weather, inputSchema: city, execute: (input) => doing.get_weather(input) }),
    get_time: aiTool({ description: time, inputSchema: nothing, execute: () => doing.get_time() }),
  })
  const model = createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat('gpt-5')
  return (await generateText({ model, prompt: question, tools, stopWhen: isStepCount(5), maxRetries: 0 })).text
}

const langchain: WrappedAgent = async (url, cassette, doing) => {
  const tools = cassette.tools({
    get_weather: langchainTool(async (input) => String(await doing.get_weather(input)), {
      name: 'get_weather',
      description: weather,
      schema: city,
    }),
    get_time: langchainTool(async () => String(await doing.get_time()), {
      name: 'get_time',
      description: time,
      schema: nothing,
    }),
  })
  const model = new ChatOpenAI({ apiKey, model: 'gpt-5', maxRetries: 0, configuration: { baseURL: `${url}/v1` } })
  const bound = model.bindTools(Object.values(tools))
  const history: BaseMessage[] = [new HumanMessage(question)]
  for (;;) {
    const reply = await bound.invoke(history)
    history.push(reply)
    if (!reply.tool_calls?.length) return reply.text
    const results = reply.tool_calls.map((call) =>
      (tools as Record<string, { invoke(call: unknown): Promise<unknown> }>)[call.name]
        ?.invoke({ ...call, type: 'tool_call' })
        .catch((error: Error) => ({
          role: 'tool',
          tool_call_id: call.id,
          content: `failed: ${error.message}`,
        })),
    )
    history.push(...((await Promise.all(results)) as BaseMessage[]))
  }
}

const agents: WrappedAgent = async (url, cassette, doing) => {
  const tools = cassette.tools({
    get_weather: agentsTool({
      name: 'get_weather',
      description: weather,
      parameters: city,
      execute: async (input) => doing.get_weather(input),
    }),
    get_time: agentsTool({
      name: 'get_time',
      description: time,
      parameters: nothing,
      execute: async () => doing.get_time(),
    }),
  })
  const model = new OpenAIResponsesModel(new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 }) as never, 'gpt-5')
  return (await run(new Agent({ name: 'weather', model, tools: Object.values(tools) }), question)).finalOutput
}

export const wrappedAgents: Record<string, WrappedAgent> = {
  'openai chat': openaiChat,
  'openai Responses': responses,
  'anthropic betaZodTool': anthropic,
  'google genai': genai,
  'AI SDK tool()': aiSdk,
  'LangChain tool()': langchain,
  'OpenAI Agents tool()': agents,
}
