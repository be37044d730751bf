import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { ChatAnthropic } from '@langchain/anthropic'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOpenAI } from '@langchain/openai'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { generateText, type LanguageModel, streamText } from 'ai'
import Anthropic0 from 'anthropic0'
import Anthropic030 from 'anthropic030'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import OpenAI4 from 'openai4'
import OpenAI5 from 'openai5'
import OpenAI6 from 'openai6'
import { type TestClient, textIn, textsIn } from './test-client.ts'

const apiKey = 'k-0123456789abcdef'
const user = (content: string) => [{ role: 'user' as const, content }]

type Constructor<T> = new (options: { baseURL: string; apiKey: string; dangerouslyAllowBrowser?: boolean }) => T

/** `create` of an SDK: a reply, or a stream of events. */
interface Create<Request, Reply, Event> {
  (request: Request): PromiseLike<Reply>
  (request: Request & { stream: true }): PromiseLike<AsyncIterable<Event>>
}

interface Messages {
  model: string
  messages: ReturnType<typeof user>
}

/** What the openai SDKs have in common since version 4. */
interface AnyOpenAI {
  chat: {
    completions: {
      create: Create<
        Messages,
        { choices: { message: { content: string | null } }[] },
        { choices: { delta: { content?: string | null } }[] }
      >
    }
  }
  responses: {
    create: Create<{ model: string; input: string }, { output_text: string }, { type: string } | TextDelta>
  }
}
type TextDelta = { type: 'response.output_text.delta'; delta: string }

export const openaiChat = (name: string, SDK: Constructor<AnyOpenAI>): TestClient => ({
  name: `${name}, chat`,
  host: 'https://api.openai.com',
  create(url) {
    const { chat } = new SDK({ baseURL: `${url}/v1`, apiKey, dangerouslyAllowBrowser: true })
    const request = (content: string) => ({ model: 'gpt-5', messages: user(content) })
    return {
      json: async (question) => {
        const { choices } = await chat.completions.create(request(question))
        return textIn(choices[0]?.message.content)
      },
      stream: async (question) =>
        textsIn(
          await chat.completions.create({ ...request(question), stream: true }),
          ({ choices }) => choices[0]?.delta.content,
        ),
    }
  },
})

const openaiResponses = (name: string, SDK: Constructor<AnyOpenAI>): TestClient => ({
  name: `${name}, responses`,
  host: 'https://api.openai.com',
  create(url) {
    const { responses } = new SDK({ baseURL: `${url}/v1`, apiKey })
    const request = (input: string) => ({ model: 'gpt-5', input })
    return {
      json: async (question) => textIn((await responses.create(request(question))).output_text),
      stream: async (question) =>
        textsIn(await responses.create({ ...request(question), stream: true }), (event) =>
          'delta' in event && event.type === 'response.output_text.delta' ? event.delta : undefined,
        ),
    }
  },
})

/** What the Anthropic SDKs have in common since version 0.30. */
interface AnyAnthropic {
  messages: {
    create: Create<
      Messages & { max_tokens: number },
      { content: ({ type: string } | Text)[] },
      { type: string } | Delta
    >
  }
}
type Text = { type: 'text'; text: string }
type Delta = { type: 'content_block_delta'; delta: { type: string } | { type: 'text_delta'; text: string } }

const anthropic = (name: string, SDK: Constructor<AnyAnthropic>): TestClient => ({
  name,
  host: 'https://api.anthropic.com',
  create(url) {
    const { messages } = new SDK({ baseURL: url, apiKey })
    const request = (content: string) => ({ model: 'claude-sonnet-5-5', max_tokens: 100, messages: user(content) })
    return {
      json: async (question) =>
        (await messages.create(request(question))).content.flatMap((block) =>
          'text' in block ? textIn(block.text) : [],
        ),
      stream: async (question) =>
        textsIn(await messages.create({ ...request(question), stream: true }), (event) =>
          'delta' in event && 'text' in event.delta ? event.delta.text : undefined,
        ),
    }
  },
})

const genai: TestClient = {
  name: 'genai',
  host: 'https://generativelanguage.googleapis.com',
  create(url) {
    const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } })
    const request = (contents: string) => ({ model: 'gemini-3-pro', contents })
    return {
      json: async (question) => textIn((await models.generateContent(request(question))).text),
      stream: async (question) => textsIn(await models.generateContentStream(request(question)), ({ text }) => text),
    }
  },
}

const ollama: TestClient = {
  name: 'ollama',
  host: 'https://ollama.com',
  create(host) {
    const client = new Ollama({ host })
    const request = (content: string) => ({ model: 'qwen3:8b', messages: user(content) })
    return {
      json: async (question) => textIn((await client.chat(request(question))).message.content),
      stream: async (question) =>
        textsIn(await client.chat({ ...request(question), stream: true }), ({ message }) => message.content),
    }
  },
}

const bedrock: TestClient = {
  name: 'Bedrock over NodeHttpHandler',
  host: 'https://bedrock-runtime.us-east-1.amazonaws.com',
  create(endpoint) {
    const client = new BedrockRuntimeClient({
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'AKIDFORTESTS', secretAccessKey: 'not-a-secret' },
      requestHandler: new NodeHttpHandler(),
    })
    const request = (text: string) => ({
      modelId: 'amazon.nova-pro-v1:0',
      messages: [{ role: 'user' as const, content: [{ text }] }],
    })
    return {
      json: async (question) => {
        const { output } = await client.send(new ConverseCommand(request(question)))
        return output?.message?.content?.flatMap(({ text }) => textIn(text)) ?? []
      },
      stream: async (question) => {
        const { stream } = await client.send(new ConverseStreamCommand(request(question)))
        return stream ? textsIn(stream, ({ contentBlockDelta }) => contentBlockDelta?.delta?.text) : []
      },
    }
  },
}

const aiSdk = (name: string, host: string, create: (url: string) => LanguageModel): TestClient => ({
  name: `AI SDK, ${name}`,
  host,
  create(url) {
    const model = create(url)
    return {
      json: async (prompt) => textIn((await generateText({ model, prompt })).text),
      stream: async (prompt) => textsIn(streamText({ model, prompt }).textStream, (text) => text),
    }
  },
})

/** What the chat models of LangChain have in common. */
interface LangChainModel {
  invoke(question: string): Promise<{ text: string }>
  stream(question: string): Promise<AsyncIterable<{ text: string }>>
}

const langChain = (name: string, host: string, create: (url: string) => LangChainModel): TestClient => ({
  name: `LangChain, ${name}`,
  host,
  create(url) {
    const model = create(url)
    return {
      json: async (question) => textIn((await model.invoke(question)).text),
      stream: async (question) => textsIn(await model.stream(question), ({ text }) => text),
    }
  },
})

/** The SDKs of providers, and the frameworks over them. */
export const sdkClients: TestClient[] = [
  openaiChat('openai', OpenAI),
  openaiResponses('openai', OpenAI),
  openaiChat('openai 6', OpenAI6),
  openaiResponses('openai 6', OpenAI6),
  openaiChat('openai 5', OpenAI5),
  openaiResponses('openai 5', OpenAI5),
  openaiChat('openai 4', OpenAI4),
  openaiResponses('openai 4', OpenAI4),
  anthropic('anthropic', Anthropic),
  anthropic('anthropic 0', Anthropic0),
  anthropic('anthropic 0.30', Anthropic030),
  genai,
  ollama,
  bedrock,
  aiSdk('openai chat', 'https://api.openai.com', (url) => createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat('gpt-5')),
  aiSdk('openai responses', 'https://api.openai.com', (url) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses('gpt-5'),
  ),
  aiSdk('openai-compatible', 'https://api.deepseek.com', (url) =>
    createOpenAICompatible({ name: 'other', baseURL: `${url}/v1`, apiKey })('some-model'),
  ),
  aiSdk('anthropic', 'https://api.anthropic.com', (url) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-sonnet-5-5'),
  ),
  aiSdk('google', 'https://generativelanguage.googleapis.com', (url) =>
    createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })('gemini-3-pro'),
  ),
  langChain(
    'openai',
    'https://api.openai.com',
    (url) => new ChatOpenAI({ model: 'gpt-5', apiKey, configuration: { baseURL: `${url}/v1` } }),
  ),
  langChain(
    'openai responses',
    'https://api.openai.com',
    (url) => new ChatOpenAI({ model: 'gpt-5', apiKey, useResponsesApi: true, configuration: { baseURL: `${url}/v1` } }),
  ),
  langChain(
    'anthropic',
    'https://api.anthropic.com',
    (url) => new ChatAnthropic({ model: 'claude-sonnet-5-5', apiKey, anthropicApiUrl: url }),
  ),
  langChain(
    'google',
    'https://generativelanguage.googleapis.com',
    (url) => new ChatGoogleGenerativeAI({ model: 'gemini-3-pro', apiKey, baseUrl: url }),
  ),
]
