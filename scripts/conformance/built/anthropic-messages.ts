import type { JsonObject } from '@retake/trace'
import { type Built, hosted, sources, typedEvents } from './built.ts'

const path = '/v1/messages'
const ask = (more: JsonObject = {}): JsonObject => ({
  model: 'm',
  max_tokens: 64,
  messages: [{ role: 'user', content: 'Hi' }],
  ...more,
})
const streamed = (more: JsonObject = {}): JsonObject => ask({ stream: true, ...more })
const docs = 'https://platform.claude.com/docs/en'
const usage = {
  input_tokens: 9,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 5,
  service_tier: 'standard',
  inference_geo: 'global',
}

const message = (content: readonly object[], more: object = {}) => ({
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'm-2026',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
  ...more,
})

const text = (value: string, more: object = {}) => ({ type: 'text', text: value, ...more })
const start = (more: object = {}) => ({
  type: 'message_start',
  message: message([], { stop_reason: null, usage: { ...usage, output_tokens: 1 }, ...more }),
})
const open = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block })
const delta = (index: number, type: string, members: object) => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...members },
})
const close = (index: number) => ({ type: 'content_block_stop', index })
const end = (more: object = {}, rest: object = {}) => [
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null, ...more },
    usage: { output_tokens: 5 },
    ...rest,
  },
  { type: 'message_stop' },
]

/** Every block that a tool of Anthropic makes, by the types of its SDK. */
const serverBlocks: Readonly<Record<string, object>> = {
  server_tool_use: { id: 'srvtoolu_1', name: 'web_search', input: {}, caller: { type: 'direct' } },
  web_search_tool_result: { tool_use_id: 'srvtoolu_1', content: [], caller: { type: 'direct' } },
  web_fetch_tool_result: {
    tool_use_id: 'srvtoolu_1',
    content: { type: 'web_fetch_tool_result_error', error_code: 'unavailable' },
  },
  code_execution_tool_result: {
    tool_use_id: 'srvtoolu_1',
    content: { type: 'code_execution_result', stdout: '', stderr: '', return_code: 0, content: [] },
  },
  bash_code_execution_tool_result: {
    tool_use_id: 'srvtoolu_1',
    content: { type: 'bash_code_execution_tool_result_error', error_code: 'unavailable' },
  },
  text_editor_code_execution_tool_result: {
    tool_use_id: 'srvtoolu_1',
    content: { type: 'text_editor_code_execution_tool_result_error', error_code: 'unavailable' },
  },
  tool_search_tool_result: {
    tool_use_id: 'srvtoolu_1',
    content: { type: 'tool_search_tool_search_result', tool_references: [] },
  },
  mcp_tool_use: { id: 'mcptoolu_1', name: 'f', server_name: 's', input: {} },
  mcp_tool_result: { tool_use_id: 'mcptoolu_1', is_error: false, content: [] },
  container_upload: { file_id: 'file_1' },
}

const serverReplies: Built[] = Object.entries(serverBlocks).flatMap(([type, members]) => [
  {
    name: `a block ${type}`,
    source: '@anthropic-ai/sdk BetaContentBlock',
    path,
    request: ask(),
    reply: message([{ type, ...members }, text('x')]),
    refused: hosted,
  },
  {
    name: `a block ${type}, streamed`,
    source: '@anthropic-ai/sdk BetaContentBlock',
    path,
    request: streamed(),
    reply: typedEvents([start(), open(0, { type, ...members }), close(0), ...end()]),
    refused: hosted,
  },
])

export const anthropicMessages: Built[] = [
  ...serverReplies,
  {
    name: 'thinking of each kind between calls',
    source: `${docs}/build-with-claude/extended-thinking`,
    path,
    headers: { 'anthropic-beta': 'interleaved-thinking-2025-05-14' },
    request: ask({
      thinking: { type: 'enabled', budget_tokens: 1024 },
      tools: [
        { name: 'f', input_schema: { type: 'object' }, strict: true, input_examples: [{ a: 1 }], defer_loading: true },
      ],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    }),
    reply: message(
      [
        { type: 'thinking', thinking: 'One', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'ZW5j' },
        text('Look:'),
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: {}, caller: { type: 'direct' } },
        { type: 'thinking', thinking: '', signature: 'c2lnMg' },
        { type: 'tool_use', id: 'toolu_2', name: 'f', input: { a: [1, { b: null }] } },
      ],
      { stop_reason: 'tool_use' },
    ),
  },
  {
    name: 'the same, streamed with pings',
    source: `${docs}/build-with-claude/streaming`,
    path,
    request: streamed({ thinking: { type: 'adaptive' } }),
    reply: typedEvents([
      start(),
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      { type: 'ping' },
      delta(0, 'thinking_delta', { thinking: 'On', estimated_tokens: 1 }),
      delta(0, 'thinking_delta', { thinking: 'e' }),
      delta(0, 'signature_delta', { signature: 'c2ln' }),
      close(0),
      open(1, { type: 'redacted_thinking', data: 'ZW5j' }),
      close(1),
      open(2, text('')),
      delta(2, 'text_delta', { text: 'Look' }),
      close(2),
      open(3, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }),
      delta(3, 'input_json_delta', { partial_json: '' }),
      close(3),
      { type: 'ping' },
      open(4, { type: 'tool_use', id: 'toolu_2', name: 'f', input: {} }),
      delta(4, 'input_json_delta', { partial_json: '{"a": ' }),
      delta(4, 'input_json_delta', { partial_json: '9007199254740993}' }),
      close(4),
      ...end({ stop_reason: 'tool_use' }),
    ]),
  },
  {
    name: 'arguments that break off, of a stream without buffering',
    source: `${docs}/agents-and-tools/tool-use/fine-grained-tool-streaming`,
    path,
    headers: { 'anthropic-beta': 'fine-grained-tool-streaming-2025-05-14' },
    request: streamed(),
    reply: typedEvents([
      start(),
      open(0, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }),
      delta(0, 'input_json_delta', { partial_json: '{"text": "half' }),
      close(0),
      ...end({ stop_reason: 'max_tokens' }),
    ]),
  },
  {
    name: 'a call that comes whole with its start',
    source: `${docs}/build-with-claude/streaming`,
    path,
    request: streamed(),
    reply: typedEvents([
      start(),
      open(0, { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } }),
      close(0),
      ...end({ stop_reason: 'tool_use' }),
    ]),
  },
  ...['pause_turn', 'stop_sequence', 'max_tokens', 'model_context_window_exceeded', 'a_new_reason'].map(
    (reason): Built => ({
      name: `a reply that stops by ${reason}`,
      source: `${docs}/build-with-claude/handling-stop-reasons`,
      path,
      request: ask({ stop_sequences: ['END'] }),
      reply: message([text('x')], { stop_reason: reason, stop_sequence: reason === 'stop_sequence' ? 'END' : null }),
    }),
  ),
  {
    name: 'a refusal with its details, streamed',
    source: `${docs}/test-and-evaluate/strengthen-guardrails/handle-streaming-refusals`,
    path,
    request: streamed(),
    reply: typedEvents([
      start(),
      open(0, text('')),
      delta(0, 'text_delta', { text: 'Hel' }),
      close(0),
      ...end({ stop_reason: 'refusal', stop_details: { type: 'refusal', category: 'cyber', explanation: 'No.' } }),
    ]),
  },
  {
    name: 'an error event in the middle',
    source: `${docs}/build-with-claude/streaming#error-events`,
    path,
    request: streamed(),
    reply: typedEvents([
      start(),
      open(0, text('')),
      delta(0, 'text_delta', { text: 'Hel' }),
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' }, request_id: 'req_1' } as {
        type: string
      },
    ]),
  },
  {
    name: 'an error in the place of the stream',
    source: `${docs}/api/errors`,
    path,
    request: streamed(),
    status: 529,
    reply: {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded', details: null },
      request_id: 'req_1',
    },
  },
  {
    name: 'edits of the context, and what thinking was counted',
    source: `${docs}/build-with-claude/context-editing`,
    path,
    headers: { 'anthropic-beta': 'context-management-2025-06-27' },
    request: streamed({ context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } }),
    reply: typedEvents([
      start(),
      open(0, text('')),
      delta(0, 'text_delta', { text: 'Hi' }),
      close(0),
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: {
          ...usage,
          output_tokens_details: { thinking_tokens: 3 },
          iterations: [{ type: 'message', input_tokens: 9, output_tokens: 5 }],
        },
        context_management: {
          applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 3, cleared_input_tokens: 50 }],
        },
      } as { type: string },
      { type: 'message_stop' },
    ]),
  },
  {
    name: 'citations',
    source: `${docs}/build-with-claude/citations`,
    path,
    request: ask(),
    reply: message([
      text('x', {
        citations: [
          {
            type: 'char_location',
            cited_text: 'x',
            document_index: 0,
            document_title: null,
            start_char_index: 0,
            end_char_index: 1,
            file_id: null,
          },
        ],
      }),
    ]),
    refused: sources,
  },
  {
    name: 'a citation, streamed',
    source: `${docs}/build-with-claude/citations`,
    path,
    request: streamed(),
    reply: typedEvents([
      start(),
      open(0, text('', { citations: [] })),
      delta(0, 'citations_delta', { citation: { type: 'char_location', cited_text: 'x' } }),
      close(0),
      ...end(),
    ]),
    refused: sources,
  },
  {
    name: 'blocks of every kind in a request',
    source: '@anthropic-ai/sdk BetaContentBlockParam',
    path,
    request: ask({
      system: [text('Be short.', { cache_control: { type: 'ephemeral', ttl: '1h' } })],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } },
            { type: 'image', source: { type: 'url', url: 'https://x.com/a.png' } },
            { type: 'image', source: { type: 'file', file_id: 'file_1' } },
            {
              type: 'document',
              source: { type: 'text', media_type: 'text/plain', data: 'Text' },
              title: 'T',
              context: 'C',
              citations: { enabled: false },
            },
            { type: 'document', source: { type: 'content', content: [text('a')] } },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
              cache_control: { type: 'ephemeral' },
            },
            { type: 'search_result', source: 'https://x.com', title: 'T', content: [text('found')] },
            text('What?'),
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              is_error: true,
              content: [
                text('No.'),
                { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } },
              ],
            },
          ],
        },
      ],
    }),
    reply: message([text('Hi')]),
  },
  {
    name: 'a container',
    source: `${docs}/agents-and-tools/agent-skills/overview`,
    path,
    request: ask({ container: { skills: [{ type: 'anthropic', skill_id: 'pptx', version: 'latest' }] } }),
    reply: message([text('x')]),
    refused: hosted,
  },
  {
    name: 'a container in the reply',
    source: '@anthropic-ai/sdk BetaContainer',
    path,
    request: ask(),
    reply: message([text('x')], { container: { id: 'c', expires_at: '2026-01-01T00:00:00Z', skills: null } }),
    refused: hosted,
  },
  {
    name: 'servers of a connector',
    source: `${docs}/agents-and-tools/mcp-connector`,
    path,
    request: ask({ mcp_servers: [{ type: 'url', url: 'https://x.com', name: 's' }] }),
    reply: message([text('x')]),
    refused: hosted,
  },
  {
    name: 'a tool of Anthropic',
    source: `${docs}/agents-and-tools/tool-use/web-search-tool`,
    path,
    request: ask({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
    reply: message([text('x')]),
    refused: hosted,
  },
  {
    name: 'a call by a program of the server',
    source: `${docs}/agents-and-tools/tool-use/programmatic-tool-calling`,
    path,
    request: ask(),
    reply: message(
      [
        {
          type: 'tool_use',
          id: 'toolu_1',
          name: 'f',
          input: {},
          caller: { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' },
        },
      ],
      { stop_reason: 'tool_use' },
    ),
    refused: hosted,
  },
  {
    name: 'a compaction',
    source: `${docs}/build-with-claude/compaction`,
    path,
    request: ask(),
    reply: message([{ type: 'compaction', content: 'short' }], { stop_reason: 'compaction' }),
    refused: 'compaction',
  },
  {
    name: 'nothing at all',
    source: `${docs}/build-with-claude/handling-stop-reasons#empty-responses-with-end-turn`,
    path,
    request: ask(),
    reply: message([]),
  },
  {
    name: 'nothing at all, streamed',
    source: `${docs}/build-with-claude/handling-stop-reasons#empty-responses-with-end-turn`,
    path,
    request: streamed(),
    reply: typedEvents([start(), ...end()]),
  },
  {
    name: 'a toolset and a member of it',
    source: '@anthropic-ai/sdk BetaToolUseBlock.toolset_name',
    path,
    request: ask(),
    reply: message([{ type: 'tool_use', id: 'toolu_1', name: 'click', toolset_name: 'browser', input: {} }], {
      stop_reason: 'tool_use',
    }),
  },
]
