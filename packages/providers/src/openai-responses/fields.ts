import type { JsonValue } from '@retake/trace'
import { isNothing, otherMembers, toObject } from '../json-members.ts'
import { openaiIgnoredFields } from '../openai-ignored-fields.ts'
import { type RequestFields, toSchemaFormat } from '../request-fields.ts'

/** Fields of a Responses request (https://platform.openai.com/docs/api-reference/responses/create). */
export const requestFields: RequestFields = {
  read: ['model', 'input', 'instructions', 'tools', 'previous_response_id'],
  compared: {
    max_output_tokens: 'maxTokens',
    max_tool_calls: 'maxToolCalls',
    temperature: 'temperature',
    top_p: 'topP',
    tool_choice: 'toolChoice',
    parallel_tool_calls: 'parallelToolCalls',
    text: 'text',
    reasoning: 'reasoning',
    truncation: 'truncation',
    context_management: 'contextManagement',
    top_logprobs: 'topLogprobs',
    prompt: 'prompt',
    image: 'image',
    access_programs: 'accessPrograms',
    include: 'include',
  },
  ignored: openaiIgnoredFields,
  refused: {
    conversation: 'conversation',
    background: 'background',
    background_options: 'background',
    moderation: 'inline moderation',
  },
  normalize,
}

/** Values of `include` that add detail to a reply and change nothing in it. */
const details: readonly JsonValue[] = [
  'reasoning.encrypted_content',
  'file_search_call.results',
  'web_search_call.results',
  'web_search_call.action.sources',
  'message.input_image.image_url',
  'computer_call_output.output.image_url',
  'code_interpreter_call.outputs',
  'message.output_text.logprobs',
]

function normalize(name: string, value: JsonValue): JsonValue | undefined {
  if (name === 'tool_choice') return value === 'auto' ? undefined : value
  if (name === 'truncation') return value === 'disabled' ? undefined : value
  if (name === 'top_logprobs') return value === 0 ? undefined : value
  if (name === 'text') return toTextConfig(value)
  if (name === 'reasoning' || name === 'prompt') return filled(otherMembers(toObject(value), []), value)
  if (name !== 'include' || !Array.isArray(value)) return value
  const others = value.filter((item) => !details.includes(item))
  return others.length > 0 ? others : undefined
}

/** Plain text is what the absence of a format says. */
function toTextConfig(value: JsonValue): JsonValue | undefined {
  const { format, ...config } = otherMembers(toObject(value), [])
  const isPlain = isNothing(format) || (toObject(format).type === 'text' && Object.keys(toObject(format)).length === 1)
  return filled({ ...config, ...(!isPlain && { format: toSchemaFormat(toObject(format)) }) }, value)
}

/** `given` where it is of a type that nothing can be read from. */
const filled = (object: ReturnType<typeof toObject>, given: JsonValue): JsonValue | undefined => {
  if (typeof given !== 'object' || Array.isArray(given)) return given
  return isNothing(object) ? undefined : object
}

/** Members of an item in a history that repeat what a reply showed, or name it. */
export const echoedMembers: readonly string[] = ['id', 'status', 'phase', 'parsed', 'parsed_arguments', 'created_by']

/** Members of a text in a history that repeat what a reply showed, or mark it for the cache. */
export const echoedTextMembers: readonly string[] = ['annotations', 'logprobs', 'parsed', 'prompt_cache_breakpoint']
