import type { JsonObject, JsonValue } from '@retake/trace'
import type { WriteContext } from '../wire.ts'

/**
 * A response object without how it ended: it repeats what was asked, with the defaults of the API
 * (https://platform.openai.com/docs/api-reference/responses/object).
 */
export const writeResponse = ({ replyId, timestamp, request, extras }: WriteContext): JsonObject => {
  const asked = (name: string, absent: JsonValue): JsonObject => ({ [name]: request.body[name] ?? absent })
  return {
    id: `resp_${replyId}`,
    object: 'response',
    created_at: Math.floor(timestamp / 1000),
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    ...asked('instructions', null),
    ...asked('max_output_tokens', null),
    ...asked('max_tool_calls', null),
    model: extras?.servedModel ?? request.body.model ?? '',
    output: [],
    ...asked('parallel_tool_calls', true),
    ...asked('previous_response_id', null),
    ...asked('prompt_cache_key', null),
    ...asked('reasoning', { effort: null, summary: null }),
    ...asked('safety_identifier', null),
    service_tier: 'default',
    ...asked('store', true),
    ...asked('temperature', 1),
    ...asked('text', { format: { type: 'text' } }),
    ...asked('tool_choice', 'auto'),
    ...asked('tools', []),
    ...asked('top_logprobs', 0),
    ...asked('top_p', 1),
    ...asked('truncation', 'disabled'),
    usage: null,
    ...asked('user', null),
    ...asked('metadata', {}),
  }
}
