import Anthropic, { type ClientOptions as AnthropicOptions } from '@anthropic-ai/sdk'
import OpenAI, { type ClientOptions as OpenAIOptions } from 'openai'

export const apiKey = 'k-0123456789abcdef'

export const openaiAt = (url: string, options: OpenAIOptions = {}): OpenAI =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, ...options })

export const anthropicAt = (url: string, options: AnthropicOptions = {}): Anthropic =>
  new Anthropic({ baseURL: url, apiKey, ...options })

export const chatRequest = (content = 'Hi') => ({ model: 'gpt-5', messages: [{ role: 'user' as const, content }] })

export const messageRequest = (content = 'Hi') => ({
  model: 'claude-sonnet-5-5',
  max_tokens: 100,
  messages: [{ role: 'user' as const, content }],
})

/** One call over `fetch` itself, as a framework without an SDK makes it. */
export const postChat = (url: string, body: object = chatRequest(), init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  })
