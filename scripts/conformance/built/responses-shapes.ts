import type { JsonObject } from '@retake/trace'
import { typedEvents } from './built.ts'

// What the bodies of the Responses API are made of.
export const path = '/v1/responses'
export const ask = (more: JsonObject = {}): JsonObject => ({ model: 'm', input: 'Hi', ...more })
export const streamed = (more: JsonObject = {}): JsonObject => ask({ stream: true, ...more })
export const api = 'https://platform.openai.com/docs/api-reference/responses'
export const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 14,
}

export const response = (out: readonly object[], more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1764460800,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'm-2026',
  output: out,
  usage,
  ...more,
})

export const text = (value: string, more: object = {}) => ({
  type: 'output_text',
  text: value,
  annotations: [],
  logprobs: [],
  ...more,
})
export const message = (content: readonly object[], more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content,
  ...more,
})
export const thinking = (more: object = {}) => ({ id: 'rs_1', type: 'reasoning', summary: [], ...more })
export const call = (more: object = {}) => ({
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_1',
  name: 'f',
  arguments: '{"a": 1}',
  ...more,
})

export const numbered = (events: readonly { type: string; [name: string]: unknown }[]): string =>
  typedEvents(events.map((event, index) => ({ ...event, sequence_number: index })))

export const begun = [
  { type: 'response.created', response: response([], { status: 'in_progress', usage: null }) },
  { type: 'response.in_progress', response: response([], { status: 'in_progress', usage: null }) },
]
export const added = (index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
})
export const finished = (index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
})
export const ended = (out: readonly object[], more: object = {}) => ({
  type: 'response.completed',
  response: response(out, more),
})
export const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
