import { type Built, dataEvents, hosted, output, sources } from './built.ts'
import { api, ask, call, chunk, completion, counts, done, path, stop, streamed, usage } from './chat-shapes.ts'

export const openaiChat: Built[] = [
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
