import { Mistral } from '@mistralai/mistralai'
import Groq from 'groq-sdk'
import { type Ask, call, collect, spoken } from '../seen.ts'
import { apiKey, chatTools, question } from '../tools.ts'
import { seenInChunks } from './chat-chunks.ts'

/** Vendors that speak OpenAI's chat wire in their own way, through their own SDKs. */

const messages = [{ role: 'user' as const, content: question }]
const mistralRequest = { model: 'mistral-large-latest', messages, tools: chatTools }
const groqRequest = { model: 'groq/compound', messages, tools: chatTools }

const mistral = (url: string) => new Mistral({ apiKey, serverURL: url }).chat
const groq = (url: string) => new Groq({ apiKey, baseURL: url, maxRetries: 0 }).chat.completions

const textOf = (content: unknown): string => {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return content.map((chunk) => (chunk.type === 'text' ? chunk.text : '')).join('')
}

export const vendorAsks: Record<string, Ask> = {
  'mistral chat.complete': async (url) => {
    const { choices, usage, model } = await mistral(url).complete(mistralRequest)
    const message = choices[0]?.message
    return {
      text: textOf(message?.content),
      calls: (message?.toolCalls ?? []).map((made) => call(made.function.name, made.function.arguments)),
      choices,
      usage,
      model,
    }
  },
  'mistral chat.stream': async (url) => {
    const events = await collect(await mistral(url).stream(mistralRequest))
    const deltas = events.flatMap(({ data }) => data.choices.map(({ delta }) => delta))
    return {
      text: deltas.map(({ content }) => textOf(content)).join(''),
      calls: deltas.flatMap(({ toolCalls }) =>
        (toolCalls ?? []).map((made) => call(made.function.name, made.function.arguments)),
      ),
      deltas: spoken(deltas.map(({ role, ...said }) => said)),
      stop: events.flatMap(({ data }) => data.choices.flatMap(({ finishReason }) => finishReason ?? [])),
      usage: events.at(-1)?.data.usage,
      models: [...new Set(events.map(({ data }) => data.model))],
    }
  },
  'groq chat.create': async (url) => {
    const { choices, usage, model } = await groq(url).create(groqRequest)
    const message = choices[0]?.message
    return {
      text: message?.content ?? '',
      calls: (message?.tool_calls ?? []).map((made) => call(made.function.name, made.function.arguments)),
      choices,
      usage,
      model,
    }
  },
  'groq chat.create, streaming': async (url) => {
    const chunks = await collect(await groq(url).create({ ...groqRequest, stream: true }))
    return seenInChunks(chunks, chunks.at(-1)?.x_groq)
  },
}
