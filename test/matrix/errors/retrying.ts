import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { ChatOpenAI } from '@langchain/openai'
import { Agent, OpenAIResponsesModel, run } from '@openai/agents'
import { generateText, type LanguageModel, streamText } from 'ai'
import Groq from 'groq-sdk'
import OpenAI from 'openai'
import { apiKey, question } from '../tools.ts'

/** A client as its users get it: it tries again by itself where it does so by default. */
export interface Retrying {
  /** The text of the answer. */
  ask(url: string): Promise<unknown>
  /** Requests it makes for a status that may go away. */
  attempts: number
  /** The least it waits between two of them, in milliseconds, where the answer tells a shorter time. [0] */
  ownWait?: number
}

const openai = (url: string) => new OpenAI({ apiKey, baseURL: `${url}/v1` })
const anthropic = (url: string) => new Anthropic({ apiKey, baseURL: url })
const messages = [{ role: 'user' as const, content: question }]
const messageRequest = { model: 'claude-sonnet-5-5', max_tokens: 100, messages }

const genai = (url: string, attempts?: number) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url, ...(attempts && { retryOptions: { attempts } }) } }).models

const generate = async (model: LanguageModel) => (await generateText({ model, prompt: question })).text

const stream = async (model: LanguageModel) => {
  let failure: unknown
  const result = streamText({
    model,
    prompt: question,
    onError: ({ error }) => {
      failure = error
    },
  })
  await result.consumeStream()
  if (failure) throw failure
  return result.text
}

export const retrying: Record<string, Retrying> = {
  'openai chat': {
    ask: async (url) => {
      const { choices } = await openai(url).chat.completions.create({ model: 'gpt-5', messages })
      return choices[0]?.message.content
    },
    attempts: 3,
  },
  'openai chat.stream': {
    ask: (url) => openai(url).chat.completions.stream({ model: 'gpt-5', messages }).finalContent(),
    attempts: 3,
  },
  'openai responses': {
    ask: async (url) => (await openai(url).responses.create({ model: 'gpt-5', input: question })).output_text,
    attempts: 3,
  },
  anthropic: {
    ask: async (url) => (await anthropic(url).messages.create(messageRequest)).content,
    attempts: 3,
  },
  'anthropic messages.stream': {
    ask: (url) => anthropic(url).messages.stream(messageRequest).finalText(),
    attempts: 3,
  },
  groq: {
    ask: async (url) => {
      const { choices } = await new Groq({ apiKey, baseURL: url }).chat.completions.create({
        model: 'groq/compound',
        messages,
      })
      return choices[0]?.message.content
    },
    attempts: 3,
  },
  'agents, Responses': {
    ask: async (url) => {
      const agent = new Agent({ name: 'weather', model: new OpenAIResponsesModel(openai(url), 'gpt-5') })
      return (await run(agent, question)).finalOutput
    },
    attempts: 3,
  },
  genai: {
    ask: async (url) => (await genai(url).generateContent({ model: 'gemini-3-pro', contents: question })).text,
    attempts: 1,
  },
  'genai with retryOptions': {
    ask: async (url) => (await genai(url, 3).generateContent({ model: 'gemini-3-pro', contents: question })).text,
    attempts: 3,
    ownWait: 1000,
  },
  'ai generateText openai.chat': {
    ask: (url) => generate(createOpenAI({ apiKey, baseURL: `${url}/v1` }).chat('gpt-5')),
    attempts: 3,
  },
  'ai generateText anthropic': {
    ask: (url) => generate(createAnthropic({ apiKey, baseURL: `${url}/v1` })('claude-sonnet-5-5')),
    attempts: 3,
  },
  'ai generateText google': {
    ask: (url) => generate(createGoogleGenerativeAI({ apiKey, baseURL: `${url}/v1beta` })('gemini-3-pro')),
    attempts: 3,
  },
  'ai streamText openai.responses': {
    ask: (url) => stream(createOpenAI({ apiKey, baseURL: `${url}/v1` }).responses('gpt-5')),
    attempts: 3,
  },
  'langchain ChatOpenAI': {
    ask: async (url) => {
      const model = new ChatOpenAI({ model: 'gpt-5', apiKey, maxRetries: 2, configuration: { baseURL: `${url}/v1` } })
      return (await model.invoke(question)).content
    },
    attempts: 3,
    ownWait: 1000,
  },
}
