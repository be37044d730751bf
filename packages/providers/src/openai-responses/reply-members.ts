import type { ReplyMembers } from '../reply-members.ts'

/** A response object (https://platform.openai.com/docs/api-reference/responses/object). */
export const replyMembers: ReplyMembers = {
  read: [
    'id',
    'object',
    'created_at',
    'model',
    'status',
    'incomplete_details',
    'error',
    'output',
    'usage',
    // It repeats the request, and is written from the one that is answered.
    'background',
    'instructions',
    'max_output_tokens',
    'max_tool_calls',
    'metadata',
    'parallel_tool_calls',
    'previous_response_id',
    'prompt_cache_key',
    'reasoning',
    'safety_identifier',
    'service_tier',
    'store',
    'temperature',
    'text',
    'tool_choice',
    'tools',
    'top_logprobs',
    'top_p',
    'truncation',
    'user',
  ],
  types: { model: ['string'], incomplete_details: ['object'], error: ['object'], usage: ['object'] },
  ignored: [
    // More of the request.
    'conversation',
    'frequency_penalty',
    'presence_penalty',
    'prompt',
    'prompt_cache_options',
    'prompt_cache_retention',
    // Helpers of SDKs that were recorded with the body.
    'output_text',
    'completed_at',
    'billing',
    'prompt_cache_diagnostics',
  ],
  refused: { moderation: 'inline moderation' },
}

/** The last event of a stream. */
export const endingMembers: ReplyMembers = { read: ['type', 'response', 'sequence_number'], ignored: [], refused: {} }

/** An item of the output: a message, thinking, or a call. */
export const itemMembers: ReplyMembers = {
  read: [
    'type',
    'id',
    'role',
    'content',
    'phase',
    'summary',
    'encrypted_content',
    'call_id',
    'name',
    'namespace',
    'arguments',
    'input',
    'async',
    'caller',
    'status',
  ],
  types: {
    content: ['list'],
    summary: ['list'],
    name: ['string'],
    namespace: ['string'],
    arguments: ['string'],
    input: ['string'],
  },
  ignored: ['created_by', 'item_id', 'output_index'],
  refused: {},
}

/** A text of thinking. */
export const thinkingMembers: ReplyMembers = {
  read: ['type', 'text'],
  types: { text: ['string'] },
  ignored: [],
  refused: {},
}

/** A part of a message. */
export const contentMembers: ReplyMembers = {
  read: ['type', 'text', 'refusal'],
  types: { text: ['string'], refusal: ['string'] },
  ignored: ['parsed'],
  refused: {
    annotations: 'citations, annotations, search results, grounding',
    logprobs: 'logprobs in the reply',
  },
}
