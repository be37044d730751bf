import type { WireRequest } from '@retake/providers'

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { id: { type: 'string', description: 'The id.', enum: ['a', 'b'] }, deep: { anyOf: [{ type: 'null' }] } },
  required: ['id', 'deep'],
  additionalProperties: false,
}
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'

/** Requests with every member that the two APIs document and that retake takes, for what real traffic seldom has. */
export const fullChat: WireRequest = {
  url: 'https://example.openai.azure.com/openai/deployments/gpt-5-east/chat/completions?api-version=2026-10-01',
  headers: {},
  body: {
    model: 'gpt-5',
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }] },
      { role: 'developer', content: 'Refund late orders only.' },
      {
        role: 'user',
        name: 'ada',
        content: [
          { type: 'text', text: 'What is on these?' },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.png', detail: 'high' } },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
          { type: 'input_audio', input_audio: { data: png, format: 'wav' } },
          { type: 'file', file: { file_data: `data:application/pdf;base64,${png}`, filename: 'bill.pdf' } },
          { type: 'file', file: { file_id: 'file-9' } },
          { type: 'text', text: 'And on those?' },
        ],
      },
      {
        role: 'assistant',
        name: 'helper',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'refusal', refusal: 'Not at that one.' },
        ],
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'lookup', arguments: '{"id":"a","deep":null}' } },
          { id: 'call_2', type: 'function', function: { name: 'lookup', arguments: '{ "id": "b", "n": 1.0 }' } },
          { id: 'call_3', type: 'custom', custom: { name: 'shell', input: 'ls -l' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'late' },
      { role: 'tool', tool_call_id: 'call_2', name: 'lookup', content: [{ type: 'text', text: 'in time' }] },
      {
        role: 'tool',
        tool_call_id: 'call_3',
        content: [{ type: 'image_url', image_url: { url: 'https://a.io/b.png' } }],
      },
      { role: 'assistant', content: null, refusal: 'I will not.' },
      { role: 'system', name: 'policy', content: 'Be polite.' },
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: 'Well', prefix: true },
    ],
    tools: [
      { type: 'function', function: { name: 'lookup', description: 'Looks up.', parameters: schema, strict: true } },
      { type: 'function', function: { name: 'ask' } },
      {
        type: 'custom',
        custom: {
          name: 'shell',
          description: 'Runs it.',
          format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } },
        },
      },
      { type: 'custom', custom: { name: 'note', format: { type: 'text' } } },
    ],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: {
        mode: 'auto',
        tools: [
          { type: 'function', function: { name: 'lookup' } },
          { type: 'custom', custom: { name: 'shell' } },
        ],
      },
    },
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', description: 'The answer.', schema, strict: true },
    },
    temperature: 0.2,
    top_p: 0.9,
    top_k: 40,
    max_completion_tokens: 100,
    max_tokens: 90,
    stop: ['END', 'STOP'],
    seed: 7,
    n: 1,
    parallel_tool_calls: false,
    reasoning_effort: 'low',
    thinking: { type: 'enabled', budget_tokens: 100 },
    verbosity: 'low',
    presence_penalty: 0.1,
    frequency_penalty: 0.3,
    logit_bias: { '50256': -100, '11': 5 },
    logprobs: true,
    top_logprobs: 2,
    prediction: {
      type: 'content',
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
    modalities: ['text'],
    provider: { order: ['a', 'b'], allow_fallbacks: false },
    reasoning: { effort: 'low', exclude: true },
    safe_prompt: true,
    chat_template_kwargs: { enable_thinking: false },
    stream: true,
    stream_options: { include_usage: true },
    metadata: { run: '1' },
    user: 'u-1',
    safety_identifier: 's-1',
    service_tier: 'flex',
    store: true,
    prompt_cache_key: 'k',
    prompt_cache_options: { mode: 'auto' },
    prompt_cache_retention: '24h',
  },
}

export const fullMessages: WireRequest = {
  url: 'https://api.anthropic.com/v1/messages',
  headers: { 'anthropic-beta': 'context-1m-2025-08-07,interleaved-thinking-2025-05-14' },
  body: {
    model: 'claude-sonnet-5-5',
    max_tokens: 100,
    system: [
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral', ttl: '5m' } },
      { type: 'text', text: 'Refund late orders only.', citations: null },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is on these?', cache_control: { type: 'ephemeral' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          { type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' } },
          { type: 'image', source: { type: 'file', file_id: 'file_9' } },
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'The bill.' },
            title: 'Bill',
            context: 'Of June.',
            citations: { enabled: true },
          },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: png } },
          {
            type: 'document',
            source: {
              type: 'content',
              content: [
                { type: 'text', text: 'One page.' },
                { type: 'text', text: 'Two pages.', cache_control: { type: 'ephemeral' } },
              ],
            },
          },
          { type: 'document', source: { type: 'content', content: 'All in one.' } },
          {
            type: 'search_result',
            source: 'https://example.com/a',
            title: 'A',
            content: [
              { type: 'text', text: 'Found this.' },
              { type: 'text', text: 'And that.' },
            ],
            citations: { enabled: false },
          },
          { type: 'text', text: 'And on those?' },
        ],
      },
      { role: 'system', content: 'Be polite from here on.' },
      { role: 'user', content: 'Go on.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'ZGF0YQ==' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'toolu_1', name: 'lookup', input: { id: 'a', deep: [1, null, { on: true }] } },
          { type: 'tool_use', id: 'toolu_2', name: 'lookup', input: { id: 'b' }, cache_control: { type: 'ephemeral' } },
          { type: 'tool_use', id: 'toolu_3', name: 'click', toolset_name: 'browser', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'late' },
          { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: [{ type: 'text', text: 'no such' }] },
          {
            type: 'tool_result',
            tool_use_id: 'toolu_3',
            toolset_name: 'browser',
            content: [
              { type: 'text', text: 'A picture:' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
              {
                type: 'search_result',
                source: 'https://example.com/b',
                title: 'B',
                content: [{ type: 'text', text: 'It says so.' }],
              },
            ],
          },
        ],
      },
      { role: 'assistant', content: 'Well' },
    ],
    tools: [
      {
        name: 'lookup',
        description: 'Looks up.',
        input_schema: schema,
        strict: true,
        input_examples: [{ id: 'a' }, { id: 'b' }],
        defer_loading: true,
        allowed_callers: ['direct'],
        cache_control: { type: 'ephemeral' },
        eager_input_streaming: true,
      },
      { type: 'custom', name: 'ask', input_schema: { type: 'object' } },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'computer_20250124', name: 'computer', display_width_px: 800, display_height_px: 600 },
    ],
    tool_choice: { type: 'tool', name: 'lookup', disable_parallel_tool_use: true },
    temperature: 0.2,
    top_p: 0.9,
    top_k: 40,
    stop_sequences: ['END', 'STOP'],
    output_config: {
      effort: 'low',
      format: { type: 'json_schema', schema },
      task_budget: { type: 'tokens', total: 9 },
    },
    thinking: { type: 'enabled', budget_tokens: 100, display: 'summarized' },
    context_management: { edits: [{ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 3 } }] },
    stream: true,
    metadata: { user_id: 'u-1' },
    service_tier: 'auto',
    speed: 'fast',
    inference_geo: 'us',
    cache_control: { type: 'ephemeral' },
    diagnostics: { previous_message_id: null },
    user_profile_id: 'p-1',
    workspace_id: 'w-1',
    billing_policy: 'standard',
  },
}
