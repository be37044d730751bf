import type { JsonValue } from '@retake/trace'
import { toObject } from '../json-members.ts'
import { openaiIgnoredFields } from '../openai-ignored-fields.ts'
import { type RequestFields, toSchemaFormat } from '../request-fields.ts'
import { unsupported } from '../unsupported.ts'

/**
 * Fields of a Chat Completions request (https://platform.openai.com/docs/api-reference/chat/create).
 * `max_completion_tokens` is the newer name of `max_tokens`; a request with both keeps the older one verbatim.
 */
export const requestFields: RequestFields = {
  read: ['model', 'messages', 'tools'],
  compared: {
    max_completion_tokens: 'maxTokens',
    max_tokens: 'maxTokens',
    temperature: 'temperature',
    top_p: 'topP',
    top_k: 'topK',
    stop: 'stop',
    seed: 'seed',
    n: 'n',
    tool_choice: 'toolChoice',
    parallel_tool_calls: 'parallelToolCalls',
    response_format: 'responseFormat',
    reasoning_effort: 'reasoningEffort',
    thinking: 'thinking',
    verbosity: 'verbosity',
    presence_penalty: 'presencePenalty',
    frequency_penalty: 'frequencyPenalty',
    logit_bias: 'logitBias',
    logprobs: 'logprobs',
    top_logprobs: 'topLogprobs',
    prediction: 'prediction',
    modalities: 'modalities',
  },
  ignored: openaiIgnoredFields,
  refused: {
    functions: 'legacy functions',
    function_call: 'legacy functions',
    audio: 'audio or image output',
    web_search_options: 'hosted/server tools and their blocks',
    moderation: 'inline moderation',
  },
  normalize,
}

function normalize(name: string, value: JsonValue): JsonValue | undefined {
  if (name === 'tool_choice') return value === 'auto' ? undefined : value
  if (name === 'logprobs') return value === false ? undefined : value
  if (name === 'n') {
    if (typeof value === 'number' && value > 1) throw unsupported('n > 1', 'n')
    return value === 1 ? undefined : value
  }
  if (name === 'modalities' && Array.isArray(value)) {
    if (value.some((modality) => modality !== 'text')) throw unsupported('audio or image output', 'modalities')
    return undefined
  }
  if (name === 'response_format') return toResponseFormat(value)
  return value
}

/** Plain text is what the absence of a format says. */
function toResponseFormat(value: JsonValue): JsonValue | undefined {
  const { json_schema: given, ...format } = toObject(value)
  if (format.type === 'text' && Object.keys(toObject(value)).length === 1) return undefined
  if (given === undefined || given === null) return value
  return { ...format, json_schema: toSchemaFormat(toObject(given)) }
}

/**
 * Members of an assistant message in a history that repeat what a reply showed and that no model is told again, or that
 * an SDK added to its own copy of the reply.
 */
export const echoedMembers: readonly string[] = [
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'thought_signature',
  'extra_content',
  'annotations',
  'executed_tools',
  'channel',
  'parsed',
  'id',
  'index',
  'type',
  'status',
]
