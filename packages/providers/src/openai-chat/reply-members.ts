import type { JsonObject } from '@retake/trace'
import { isNothing, toObject } from '../json-members.ts'
import { othersOf, type ReplyMembers } from '../reply-members.ts'
import type { RefusalName } from '../unsupported.ts'

const sources: RefusalName = 'citations, annotations, search results, grounding'
const output: RefusalName = 'audio or image output'

/** A completion, or a chunk of one (https://platform.openai.com/docs/api-reference/chat/object, and what vendors add). */
export const replyMembers: ReplyMembers = {
  read: ['id', 'object', 'created', 'model', 'choices', 'usage', 'x_groq', 'error'],
  types: { model: ['string'], x_groq: ['object'] },
  ignored: [
    'system_fingerprint',
    'service_tier',
    'request_id',
    // What a stored completion repeats of its request.
    'metadata',
    'tools',
    'tool_choice',
    'temperature',
    'top_p',
    'presence_penalty',
    'frequency_penalty',
    'response_format',
    'seed',
    'input_user',
    // Padding against guessing the text from the length of a chunk.
    'obfuscation',
    'p',
    // How long it took.
    'time_info',
    'latency_checkpoint',
    'sla_metrics',
  ],
  refused: {
    citations: sources,
    search_results: sources,
    related_questions: sources,
    images: output,
    moderation: 'inline moderation',
  },
}

/** What Groq says of a reply, errors that ended its stream among it. */
export const groqMembers: ReplyMembers = { read: ['id', 'usage'], ignored: ['seed'], refused: {} }

export const choiceMembers: ReplyMembers = {
  read: ['index', 'message', 'delta', 'finish_reason', 'logprobs'],
  types: { logprobs: ['object'] },
  // Together repeats the text of each delta.
  ignored: ['seed', 'text'],
  refused: {},
}

/** A message, or a delta of one. */
export const messageMembers: ReplyMembers = {
  read: [
    'role',
    'content',
    'refusal',
    'reasoning',
    'reasoning_content',
    'tool_calls',
    'reasoning_details',
    'extra_content',
    'thought_signature',
  ],
  types: {
    content: ['string', 'list'],
    refusal: ['string'],
    reasoning: ['string'],
    reasoning_content: ['string'],
    tool_calls: ['list'],
  },
  ignored: ['id', 'type', 'index', 'name', 'channel', 'token_id', 'parsed'],
  refused: {
    function_call: 'legacy functions',
    audio: output,
    images: output,
    annotations: sources,
    citations: sources,
    // Azure's "on your data".
    context: sources,
    executed_tools: 'hosted/server tools and their blocks',
  },
}

/** A chunk of content that is a list. */
export const chunkMembers: ReplyMembers = { read: ['type', 'text', 'thinking'], ignored: [], refused: {} }

const callMembers: ReplyMembers = {
  read: ['id', 'type', 'function', 'custom', 'extra_content'],
  ignored: ['index'],
  refused: {},
}

const calledMembers: ReplyMembers = {
  read: ['name', 'arguments', 'input'],
  ignored: ['parsed_arguments'],
  refused: {},
}

/** What a call holds that is neither its id, its name nor its arguments. */
export const othersOfCall = (call: JsonObject): JsonObject => {
  const wrapper = call.custom === undefined ? 'function' : 'custom'
  const called = othersOf(toObject(call[wrapper]), calledMembers)
  return { ...othersOf(call, callMembers), ...(!isNothing(called) && { [wrapper]: called }) }
}
