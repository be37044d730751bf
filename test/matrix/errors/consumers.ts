import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { streamText } from 'ai'
import OpenAI from 'openai'
import { aiModels } from '../clients/ai-sdk.ts'
import { apiKey, question } from '../tools.ts'

/** Reads a stream and hands on what it says, delta by delta, until it ends or is aborted. */
export type Consumer = (url: string, onText: (text: string) => void, signal: AbortSignal) => Promise<unknown>

const openai = (url: string) => new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 })
const anthropic = (url: string) => new Anthropic({ apiKey, baseURL: url, maxRetries: 0 })
const genai = (url: string) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } }).models

const messages = [{ role: 'user' as const, content: question }]
const messageRequest = { model: 'claude-sonnet-5-5', max_tokens: 100, messages }

const ai =
  (name: string): Consumer =>
  async (url, onText, abortSignal) => {
    const model = aiModels[name]?.(url)
    if (!model) throw new Error(`no model ${name}`)
    const ends: unknown[] = []
    const { fullStream } = streamText({ model, prompt: question, maxRetries: 0, abortSignal, onError: () => {} })
    for await (const part of fullStream) {
      if (part.type === 'text-delta' && part.text !== '') onText(part.text)
      if (part.type === 'error') throw part.error
      if (part.type === 'abort' || part.type === 'finish') ends.push(part)
    }
    return ends
  }

export const consumers: Record<string, Consumer> = {
  'openai chat.create': async (url, onText, signal) => {
    const request = { model: 'gpt-5', messages, stream: true as const }
    for await (const { choices } of await openai(url).chat.completions.create(request, { signal })) {
      const text = choices[0]?.delta.content
      if (text) onText(text)
    }
  },
  'openai chat.stream': async (url, onText, signal) => {
    const stream = openai(url).chat.completions.stream({ model: 'gpt-5', messages }, { signal })
    stream.on('content', (text) => text !== '' && onText(text))
    return stream.finalContent()
  },
  'openai responses.create': async (url, onText, signal) => {
    const request = { model: 'gpt-5', input: question, stream: true as const }
    for await (const event of await openai(url).responses.create(request, { signal }))
      if (event.type === 'response.output_text.delta') onText(event.delta)
  },
  'openai responses.stream': async (url, onText, signal) => {
    const stream = openai(url).responses.stream({ model: 'gpt-5', input: question }, { signal })
    stream.on('response.output_text.delta', ({ delta }) => onText(delta))
    const { status, output_text } = await stream.finalResponse()
    return { status, output_text }
  },
  'anthropic messages.create': async (url, onText, signal) => {
    const request = { ...messageRequest, stream: true as const }
    for await (const event of await anthropic(url).messages.create(request, { signal }))
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') onText(event.delta.text)
  },
  'anthropic messages.stream': async (url, onText, signal) => {
    const stream = anthropic(url).messages.stream(messageRequest, { signal })
    stream.on('text', (text) => onText(text))
    return stream.finalText()
  },
  'genai generateContentStream': async (url, onText, abortSignal) => {
    const request = { model: 'gemini-3-pro', contents: question, config: { abortSignal } }
    for await (const { text } of await genai(url).generateContentStream(request)) if (text) onText(text)
  },
  ...Object.fromEntries(Object.keys(aiModels).map((name) => [`ai streamText ${name}`, ai(name)])),
}
