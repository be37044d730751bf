import type { JsonObject } from '@retake/trace'
import { type Built, dataEvents, hosted, output, sources } from './built.ts'

const path = '/v1/chat/completions'
const messages = [{ role: 'user', content: 'Hi' }]
const ask = (more: JsonObject = {}): JsonObject => ({ model: 'm', messages, ...more })
const streamed = (more: JsonObject = {}): JsonObject => ask({ stream: true, ...more })
const api = 'https://platform.openai.com/docs/api-reference/chat'
const head = { id: 'chatcmpl-1', created: 1764460800, model: 'm-2026' }
const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }

const completion = (message: object, more: object = {}, choice: object = {}): object => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop', ...choice }],
  usage,
  ...more,
})

const chunk = (delta: object, choice: object = {}, more: object = {}): object => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  ...more,
})
const stop = chunk({}, { finish_reason: 'stop' })
const counts = { ...head, object: 'chat.completion.chunk', choices: [], usage }
const done = 'data: [DONE]\n\n'
const call = (id: string, name: string, text: string, more: object = {}) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
  ...more,
})

const openai: Built[] = [
  {
    name: 'refusal',
    source: `${api}/object`,
    path,
    request: ask({ response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {}, strict: true } } }),
    reply: completion(
      { content: null, refusal: 'I cannot help with that.', annotations: [] },
      { service_tier: 'default' },
    ),
  },
  {
    name: 'refusal, streamed',
    source: `${api}-streaming`,
    path,
    request: streamed(),
    reply: dataEvents(
      [
        chunk({ role: 'assistant', content: null, refusal: '' }, { logprobs: null }),
        chunk({ refusal: 'I cannot ' }, { logprobs: { content: null, refusal: [] } }),
        chunk({ refusal: 'help.' }),
        stop,
      ],
      done,
    ),
  },
  {
    name: 'log probabilities of a refusal',
    source: `${api}/object`,
    path,
    request: ask({ logprobs: true }),
    reply: completion(
      { content: null, refusal: 'No.' },
      {},
      { logprobs: { content: null, refusal: [{ token: 'No', logprob: -0.1, bytes: [78, 111], top_logprobs: [] }] } },
    ),
    refused: 'logprobs in the reply',
  },
  {
    name: 'several choices',
    source: `${api}/create#chat_create-n`,
    path,
    request: ask({ n: 2 }),
    reply: completion({ content: 'a' }),
    refused: 'n > 1',
  },
  {
    name: 'several choices by a best-of of the server, interleaved',
    source: `${api}-streaming`,
    path,
    request: streamed(),
    reply: dataEvents(
      [chunk({ content: 'a' }), chunk({ content: 'b' }, { index: 1 }), chunk({ content: 'c' }), stop],
      done,
    ),
    refused: 'n > 1',
  },
  {
    name: 'audio asked for',
    source: 'https://platform.openai.com/docs/guides/audio',
    path,
    request: ask({ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }),
    reply: completion({ content: null, audio: { id: 'audio_1', data: 'UklGRg==', expires_at: 1, transcript: 'Hi' } }),
    refused: output,
  },
  {
    name: 'audio, an image, a file and a name in the request',
    source: 'https://platform.openai.com/docs/guides/audio',
    path,
    request: {
      model: 'm',
      messages: [
        { role: 'developer', content: [{ type: 'text', text: 'Be short.' }] },
        {
          role: 'user',
          name: 'ann',
          content: [
            { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0=', detail: 'high' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
    },
    reply: completion({ content: 'Noise.' }),
  },
  {
    name: 'predicted output and its counts',
    source: 'https://platform.openai.com/docs/guides/predicted-outputs',
    path,
    request: ask({ prediction: { type: 'content', content: [{ type: 'text', text: 'class A {}' }] } }),
    reply: completion(
      { content: 'class B {}' },
      {
        usage: {
          ...usage,
          prompt_tokens_details: { audio_tokens: 0, cached_tokens: 2 },
          completion_tokens_details: {
            accepted_prediction_tokens: 4,
            audio_tokens: 0,
            reasoning_tokens: 1,
            rejected_prediction_tokens: 3,
          },
        },
      },
    ),
  },
  {
    name: 'a custom tool with a grammar, forced among allowed ones',
    source: 'openai ChatCompletionCustomTool, ChatCompletionAllowedToolChoice',
    path,
    request: ask({
      tools: [
        {
          type: 'custom',
          custom: {
            name: 'sql',
            description: 'Runs SQL.',
            format: { type: 'grammar', grammar: { definition: 'start: "SELECT"', syntax: 'lark' } },
          },
        },
      ],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode: 'required', tools: [{ type: 'custom', custom: { name: 'sql' } }] },
      },
    }),
    reply: completion(
      { content: null, tool_calls: [{ id: 'call_1', type: 'custom', custom: { name: 'sql', input: 'SELECT\n 1' } }] },
      {},
      { finish_reason: 'tool_calls' },
    ),
  },
  {
    name: 'a custom call, streamed',
    source: `${api}-streaming`,
    path,
    request: streamed({ tools: [{ type: 'custom', custom: { name: 'sql' } }] }),
    reply: dataEvents(
      [
        chunk({
          role: 'assistant',
          content: null,
          tool_calls: [{ index: 0, id: 'call_1', type: 'custom', custom: { name: 'sql', input: '' } }],
        }),
        chunk({ tool_calls: [{ index: 0, custom: { input: 'SELECT ' } }] }),
        chunk({ tool_calls: [{ index: 0, custom: { input: '{1}' } }] }),
        chunk({}, { finish_reason: 'tool_calls' }),
      ],
      done,
    ),
  },
  {
    name: 'obfuscation, and usage after the reason',
    source: `${api}/create#chat_create-stream_options`,
    path,
    request: streamed({ stream_options: { include_usage: true, include_obfuscation: true } }),
    reply: dataEvents(
      [
        chunk({ role: 'assistant', content: '' }, {}, { usage: null, obfuscation: 'x1' }),
        chunk({ content: 'Hi' }, {}, { usage: null, obfuscation: 'abcdef' }),
        { ...stop, usage: null, obfuscation: 'q' },
        { ...counts, obfuscation: 'zz' },
      ],
      done,
    ),
  },
  {
    name: 'usage before the reason',
    source: 'general: servers that count in each chunk',
    path,
    request: streamed({ stream_options: { include_usage: true } }),
    reply: dataEvents([chunk({ content: 'Hi' }, {}, { usage }), counts, stop], done),
  },
  {
    name: 'citations of the search model',
    source: 'https://platform.openai.com/docs/guides/tools-web-search',
    path,
    request: ask(),
    reply: completion({
      content: 'See x.',
      annotations: [
        { type: 'url_citation', url_citation: { start_index: 0, end_index: 3, title: 'x', url: 'https://x.com' } },
      ],
    }),
    refused: sources,
  },
  {
    name: 'a web search asked for',
    source: `${api}/create#chat_create-web_search_options`,
    path,
    request: ask({ web_search_options: {} }),
    reply: completion({ content: 'x' }),
    refused: hosted,
  },
  {
    name: 'legacy functions',
    source: `${api}/create#chat_create-functions`,
    path,
    request: ask({ functions: [{ name: 'f', parameters: {} }] }),
    reply: completion({ content: null, function_call: { name: 'f', arguments: '{}' } }),
    refused: 'legacy functions',
  },
  {
    name: 'calls whose deltas alternate',
    source: `${api}-streaming`,
    path,
    request: streamed(),
    reply: dataEvents(
      [
        chunk({ role: 'assistant', content: 'Both: ' }),
        chunk({
          tool_calls: [
            { index: 0, ...call('call_a', 'add', '') },
            { index: 1, ...call('call_b', 'sub', '') },
          ],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] }),
        chunk({ tool_calls: [{ index: 1, function: { arguments: '{"b"' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
        chunk({ tool_calls: [{ index: 1, function: { arguments: ': 2}' } }] }),
        chunk({}, { finish_reason: 'tool_calls' }),
      ],
      done,
    ),
  },
  {
    name: 'large integers, duplicate keys and cut-off arguments',
    source: `${api}/object`,
    path,
    request: ask(),
    reply: completion(
      {
        content: null,
        tool_calls: [
          call('call_a', 'f', '{"n":9007199254740993}'),
          call('call_b', 'f', '{"a":1,"a":2}'),
          call('call_c', 'f', '{"a": [1, '),
          call('call_d', 'f', '"text"'),
          call('call_e', 'f', ''),
          call('call_f', 'f', 'null'),
        ],
      },
      {},
      { finish_reason: 'length' },
    ),
  },
  {
    name: 'a failed moderation of the content',
    source: 'https://platform.openai.com/docs/guides/error-codes',
    path,
    request: ask(),
    status: 400,
    reply: {
      error: {
        message: 'Invalid prompt',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'content_policy_violation',
        extra: { a: 1 },
      },
    },
  },
]

const azureFilter = (hate: boolean, severity: string) => ({
  hate: { filtered: hate, severity },
  self_harm: { filtered: false, severity: 'safe' },
})

const azure: Built[] = [
  {
    name: 'Azure: results of the filter of prompt and reply',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter',
    path: '/openai/deployments/gpt/chat/completions?api-version=2025-04-01-preview',
    request: { messages },
    reply: completion(
      { content: 'Hi' },
      {
        prompt_filter_results: [
          {
            prompt_index: 0,
            content_filter_results: { ...azureFilter(false, 'safe'), jailbreak: { filtered: false, detected: true } },
          },
        ],
      },
      {
        content_filter_results: {
          ...azureFilter(false, 'low'),
          protected_material_text: { filtered: false, detected: false },
        },
      },
    ),
  },
  {
    name: 'Azure: asynchronous filter, whose results come category by category',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-streaming',
    path: '/openai/deployments/gpt/chat/completions?api-version=2025-04-01-preview',
    request: { messages, stream: true },
    reply: dataEvents(
      [
        {
          id: '',
          object: '',
          created: 0,
          model: '',
          prompt_filter_results: [{ prompt_index: 0, content_filter_results: azureFilter(false, 'safe') }],
          choices: [],
        },
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hello' }),
        {
          id: '',
          object: '',
          created: 0,
          model: '',
          choices: [
            {
              index: 0,
              finish_reason: null,
              content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
              content_filter_results: { hate: { filtered: true, severity: 'high' } },
            },
          ],
        },
        {
          id: '',
          object: '',
          created: 0,
          model: '',
          choices: [
            {
              index: 0,
              finish_reason: 'content_filter',
              content_filter_offsets: { check_offset: 198, start_offset: 44, end_offset: 571 },
              content_filter_results: {
                protected_material_code: {
                  filtered: false,
                  detected: true,
                  citation: { URL: 'https://x.com', license: 'MIT' },
                },
              },
            },
          ],
        },
      ],
      done,
    ),
  },
]

const vendors: Built[] = [
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
]

const wholes: Built[] = [
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

export const openaiChat: Built[] = [...openai, ...azure, ...vendors, ...wholes]
