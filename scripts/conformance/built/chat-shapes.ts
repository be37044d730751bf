import type { JsonObject } from '@retake/trace'

// What the bodies of Chat Completions are made of.
export const path = '/v1/chat/completions'
export const messages = [{ role: 'user', content: 'Hi' }]
export const ask = (more: JsonObject = {}): JsonObject => ({ model: 'm', messages, ...more })
export const streamed = (more: JsonObject = {}): JsonObject => ask({ stream: true, ...more })
export const api = 'https://platform.openai.com/docs/api-reference/chat'
export const head = { id: 'chatcmpl-1', created: 1764460800, model: 'm-2026' }
export const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }

export const completion = (message: object, more: object = {}, choice: object = {}): object => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...choice }],
  usage,
  ...more,
})

export const chunk = (delta: object, choice: object = {}, more: object = {}): object => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  ...more,
})
export const stop = chunk({}, { finish_reason: 'stop' })
export const counts = { ...head, object: 'chat.completion.chunk', choices: [], usage }
export const done = 'data: [DONE]\n\n'
export const call = (id: string, name: string, text: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
  ...more,
})
