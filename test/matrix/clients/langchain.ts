import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import type { AIMessage, AIMessageChunk } from '@langchain/core/messages'
import { ChatGoogleGenerativeAI } from '@langchain/google-genai'
import { ChatOpenAI } from '@langchain/openai'
import { type Ask, call, collect, type Seen } from '../seen.ts'
import { apiKey, chatTools, question } from '../tools.ts'

type Model = ChatOpenAI | ChatAnthropic | ChatGoogleGenerativeAI

export const langchainOpenai = (url: string, rest: object = {}) =>
  new ChatOpenAI({ model: 'gpt-5', apiKey, maxRetries: 0, configuration: { baseURL: `${url}/v1` }, ...rest })

export const langchainModels: Record<string, (url: string) => Model> = {
  ChatOpenAI: (url) => langchainOpenai(url),
  'ChatOpenAI, Responses': (url) => langchainOpenai(url, { useResponsesApi: true }),
  ChatAnthropic: (url) =>
    new ChatAnthropic({ model: 'claude-sonnet-5-5', apiKey, maxRetries: 0, anthropicApiUrl: url }),
  ChatGoogleGenerativeAI: (url) =>
    new ChatGoogleGenerativeAI({ model: 'gemini-3-pro', apiKey, maxRetries: 0, baseUrl: url }),
}

/** Of what the SDK repeats of a whole response: how it ended, and what served it. */
const told = /^(finish|stop|status|incomplete|model)/i

const textOf = (content: AIMessage['content']): string =>
  typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('')

const seenIn = (
  { content, tool_calls: calls = [], ...message }: AIMessage | AIMessageChunk,
  rest: object = {},
): Seen => {
  const { __openai_function_call_ids__: _, ...additional } = message.additional_kwargs
  return {
    text: textOf(content),
    calls: calls.map(({ name, args }) => call(name, args)),
    ids: calls.map(({ id }) => ({ id })),
    content,
    additional,
    metadata: Object.fromEntries(Object.entries(message.response_metadata).filter(([name]) => told.test(name))),
    usage: message.usage_metadata,
    ...rest,
  }
}

/** Anthropic opens the input of a call with an empty piece. */
const saysSomething = (content: AIMessageChunk['content']): boolean =>
  typeof content === 'string' ? content !== '' : content.some(({ input }) => input !== '')

const bind = (model: BaseChatModel) => {
  if (!model.bindTools) throw new Error('the model takes no tools')
  return model.bindTools(chatTools)
}

const invoke =
  (model: (url: string) => Model): Ask =>
  async (url) =>
    seenIn((await bind(model(url)).invoke(question)) as AIMessage)

const stream =
  (model: (url: string) => Model): Ask =>
  async (url) => {
    const chunks = (await collect(await bind(model(url)).stream(question))) as AIMessageChunk[]
    const whole = chunks.reduce((before, chunk) => before.concat(chunk))
    return seenIn(whole, { deltas: chunks.map(({ content }) => content).filter(saysSomething) })
  }

export const langchainAsks: Record<string, Ask> = Object.fromEntries(
  Object.entries(langchainModels).flatMap(([name, model]) => [
    [`langchain ${name}.invoke`, invoke(model)],
    [`langchain ${name}.stream`, stream(model)],
  ]),
)
