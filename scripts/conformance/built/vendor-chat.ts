import { type Built, dataEvents, output, sources } from './built.ts'
import { ask, call, chunk, completion, done, head, messages, path, streamed, usage } from './chat-shapes.ts'

export const vendorChat: Built[] = [
  {
    name: 'OpenRouter: the key of the caller, costs and details of reasoning',
    source: 'https://openrouter.ai/docs/use-cases/usage-accounting',
    path: '/api/v1/chat/completions',
    request: ask({ reasoning: { effort: 'high' }, provider: { order: ['x'] }, usage: { include: true } }),
    reply: completion(
      {
        content: 'Hi',
        reasoning: 'Greet.',
        reasoning_details: [
          {
            type: 'reasoning.text',
            text: 'Greet.',
            signature: 'c2ln',
            id: 'r1',
            format: 'anthropic-claude-v1',
            index: 0,
          },
          { type: 'reasoning.encrypted', data: 'ZW5j', id: 'r2', format: 'anthropic-claude-v1', index: 1 },
        ],
      },
      {
        provider: 'Azure',
        usage: { ...usage, cost: 0.5, is_byok: true, cost_details: { upstream_inference_cost: 0.45 } },
      },
      { native_finish_reason: 'STOP' },
    ),
  },
  {
    name: 'OpenRouter: an error of the provider in the middle, and comments',
    source: 'https://openrouter.ai/docs/api/reference/streaming',
    path: '/api/v1/chat/completions',
    request: streamed(),
    reply: `: OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n${dataEvents([
      chunk({ role: 'assistant', content: 'Par' }),
      {
        id: 'gen-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'm',
        provider: 'openai',
        error: { code: 'server_error', message: 'Provider disconnected unexpectedly' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      },
    ])}`,
  },
  {
    name: 'OpenRouter: images',
    source: 'https://openrouter.ai/docs/features/multimodal/image-generation',
    path: '/api/v1/chat/completions',
    request: ask({ modalities: ['image', 'text'] }),
    reply: completion({
      content: 'x',
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
    }),
    refused: output,
  },
  {
    name: 'Groq: an error told in x_groq',
    source: 'groq-sdk ChatCompletionChunk.XGroq.error',
    path: '/openai/v1/chat/completions',
    request: streamed({ reasoning_format: 'parsed' }),
    reply: dataEvents(
      [
        chunk({ role: 'assistant', reasoning: 'Hm' }, {}, { x_groq: { id: 'req_1', seed: 7 } }),
        chunk({ content: 'Hi' }),
        chunk(
          {},
          { finish_reason: 'stop' },
          {
            x_groq: {
              id: 'req_1',
              error: 'over capacity',
              debug: { input_token_ids: [1, 2] },
              usage: { ...usage, queue_time: 0.1, prompt_time: 0.2, total_time: 0.3 },
              usage_breakdown: { models: [{ model: 'm', usage }] },
            },
          },
        ),
      ],
      done,
    ),
  },
  {
    name: 'Groq: cached tokens and the breakdown of a compound model',
    source: 'groq-sdk ChatCompletion.UsageBreakdown',
    path: '/openai/v1/chat/completions',
    request: ask(),
    reply: completion(
      { content: 'Hi' },
      { usage_breakdown: { models: [{ model: 'm', usage }] }, x_groq: { id: 'req_2', seed: 3 } },
    ),
  },
  {
    name: 'Mistral: thinking with its members, and a prefix',
    source: '@mistralai/mistralai ThinkChunk.closed, AssistantMessage.prefix',
    path,
    request: {
      model: 'm',
      messages: [...messages, { role: 'assistant', content: 'Dear', prefix: true }],
      safe_prompt: true,
      random_seed: 3,
      prompt_mode: 'reasoning',
    },
    reply: completion({
      content: [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }], closed: true, signature: 'c2ln' },
        { type: 'text', text: 'Dear Ann' },
      ],
      prefix: true,
    }),
  },
  {
    name: 'Mistral: thinking, streamed',
    source: '@mistralai/mistralai ThinkChunk.closed',
    path,
    request: streamed(),
    reply: dataEvents(
      [
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'H' }], closed: false }] }),
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'm' }], closed: true }] }),
        chunk({ content: [{ type: 'text', text: 'Hi' }] }),
        chunk({ content: '!' }, { finish_reason: 'stop' }, { usage }),
      ],
      done,
    ),
  },
  {
    name: 'Mistral: references',
    source: '@mistralai/mistralai ReferenceChunk',
    path,
    request: ask(),
    reply: completion({
      content: [
        { type: 'text', text: 'See ' },
        { type: 'reference', reference_ids: [1] },
      ],
    }),
    refused: sources,
  },
  {
    name: 'DeepSeek: thinking, calls and the tokens of its cache',
    source: 'https://api-docs.deepseek.com/api/create-chat-completion',
    path,
    request: ask({ thinking: { type: 'enabled' } }),
    reply: completion(
      { content: '', reasoning_content: 'Look it up.', tool_calls: [call('call_00_a', 'f', '{}', { index: 0 })] },
      {
        usage: {
          ...usage,
          prompt_cache_hit_tokens: 4,
          prompt_cache_miss_tokens: 5,
          completion_tokens_details: { reasoning_tokens: 3 },
        },
      },
      { finish_reason: 'tool_calls', logprobs: null },
    ),
  },
  {
    name: 'DeepSeek: a reply cut off for want of resources',
    source: 'https://api-docs.deepseek.com/api/create-chat-completion',
    path,
    request: streamed(),
    reply: `: keep-alive\n\n${dataEvents([chunk({ role: 'assistant', content: 'Hi' }), chunk({}, { finish_reason: 'insufficient_system_resource' }, { usage })], done)}`,
  },
  {
    name: 'Qwen and vLLM: thinking, then a call without index',
    source: 'https://docs.vllm.ai/en/latest/features/reasoning_outputs',
    path,
    request: streamed({ chat_template_kwargs: { enable_thinking: true }, top_k: 20, min_p: 0 }),
    reply: dataEvents(
      [
        chunk({ role: 'assistant', content: '', reasoning_content: null }),
        chunk({ reasoning_content: 'Look' }),
        chunk({ reasoning: ' up', reasoning_content: ' up' }),
        chunk({ tool_calls: [call('chatcmpl-tool-1', 'f', '{"a"')] }),
        chunk({ tool_calls: [{ function: { arguments: ': 1}' } }] }),
        chunk({ tool_calls: [call('chatcmpl-tool-2', 'f', '{}')] }),
        chunk({}, { finish_reason: 'tool_calls', stop_reason: 151645 }),
      ],
      done,
    ),
  },
  {
    name: 'vLLM: the members of its own',
    source: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server',
    path,
    request: ask({ guided_json: { type: 'object' }, repetition_penalty: 1.1 }),
    reply: completion(
      { content: 'Hi', reasoning_content: null, tool_calls: [], function_call: null, audio: null },
      {
        prompt_logprobs: null,
        kv_transfer_params: null,
        prompt_token_ids: [1, 2],
        service_tier: null,
        system_fingerprint: null,
      },
      { stop_reason: '</s>', token_ids: [5, 6], logprobs: null },
    ),
  },
  {
    name: 'llama.cpp: timings, and a reason after the last delta',
    source: 'https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md',
    path,
    request: streamed({ cache_prompt: true }),
    reply: dataEvents(
      [
        chunk({ role: 'assistant', content: null }),
        chunk({ content: 'Hi' }),
        chunk({}, { finish_reason: 'stop' }, { timings: { prompt_n: 1, predicted_ms: 2.5 } }),
      ],
      done,
    ),
  },
  {
    name: 'a call whose index comes with its second delta',
    source: 'general: gateways that number calls late',
    path,
    request: streamed(),
    reply: dataEvents(
      [
        chunk({ role: 'assistant', content: null, tool_calls: [call('call_1', 'f', '')] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
        chunk({}, { finish_reason: 'tool_calls' }),
      ],
      done,
    ),
  },
  {
    name: 'Gemini by its compatible endpoint: a signature in the call',
    source: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
    path: '/v1beta/openai/chat/completions',
    request: streamed({ extra_body: { google: { thinking_config: { include_thoughts: true } } } }),
    reply: dataEvents(
      [
        chunk({
          role: 'assistant',
          tool_calls: [
            {
              index: 0,
              ...call('function-call-1', 'f', '{"a":1}'),
              extra_content: { google: { thought_signature: 'c2ln' } },
            },
          ],
        }),
        chunk({ role: 'assistant' }, { finish_reason: 'tool_calls' }, { usage }),
      ],
      done,
    ),
  },
  {
    name: 'xAI: citations',
    source: 'https://docs.x.ai/docs/guides/live-search',
    path,
    request: ask({ search_parameters: { mode: 'auto' } }),
    reply: completion(
      { content: 'x', reasoning_content: 'y' },
      { citations: ['https://x.com'], usage: { ...usage, num_sources_used: 1 } },
    ),
    refused: sources,
  },
  {
    name: 'xAI: a completion that is deferred',
    source: 'https://docs.x.ai/docs/guides/deferred-chat-completions',
    path,
    request: ask({ deferred: true }),
    reply: { request_id: 'r1' },
    refused: 'unreadable reply',
  },
  {
    name: 'Cerebras: times of the parts',
    source: 'https://inference-docs.cerebras.ai/api-reference/chat-completions',
    path,
    request: ask(),
    reply: completion(
      { content: 'Hi', reasoning: 'Hm' },
      { time_info: { queue_time: 0.1, created: 1.5 }, system_fingerprint: 'fp' },
    ),
  },
  {
    name: 'Cohere by its compatible endpoint: a reason of its own',
    source: 'https://docs.cohere.com/docs/compatibility-api',
    path: '/compatibility/v1/chat/completions',
    request: ask(),
    reply: completion({ content: 'Hi' }, {}, { finish_reason: 'ERROR_TOXIC' }),
  },
  {
    name: 'Perplexity without a search: all that came so far beside each delta',
    source: 'https://docs.perplexity.ai/guides/streaming-responses',
    path: '/chat/completions',
    request: streamed({ disable_search: true }),
    reply: dataEvents([
      chunk({ role: 'assistant', content: 'Hel' }, { message: { role: 'assistant', content: 'Hel' } }, { usage }),
      chunk({ content: 'lo' }, { message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }, { usage }),
    ]),
  },
  {
    name: 'a message in the place of the deltas',
    source: 'general: gateways that stream what they have as a whole',
    path,
    request: streamed(),
    reply: dataEvents(
      [
        {
          ...head,
          object: 'chat.completion.chunk',
          choices: [
            {
              index: 0,
              message: { role: 'assistant', content: 'Hello', tool_calls: [call('call_1', 'f', '{}')] },
              finish_reason: 'tool_calls',
            },
          ],
        },
      ],
      done,
    ),
  },
]
