import type { JsonObject } from '@retake/trace'
import { type Built, hosted, output, sources, typedEvents } from './built.ts'

const path = '/v1/responses'
const ask = (more: JsonObject = {}): JsonObject => ({ model: 'm', input: 'Hi', ...more })
const streamed = (more: JsonObject = {}): JsonObject => ask({ stream: true, ...more })
const api = 'https://platform.openai.com/docs/api-reference/responses'
const usage = {
  input_tokens: 9,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 14,
}

const response = (out: readonly object[], more: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1764460800,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'm-2026',
  output: out,
  usage,
  ...more,
})

const text = (value: string, more: object = {}) => ({
  type: 'output_text',
  text: value,
  annotations: [],
  logprobs: [],
  ...more,
})
const message = (content: readonly object[], more: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content,
  ...more,
})
const thinking = (more: object = {}) => ({ id: 'rs_1', type: 'reasoning', summary: [], ...more })
const call = (more: object = {}) => ({
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_1',
  name: 'f',
  arguments: '{"a": 1}',
  ...more,
})

const numbered = (events: readonly { type: string; [name: string]: unknown }[]): string =>
  typedEvents(events.map((event, index) => ({ ...event, sequence_number: index })))

const begun = [
  { type: 'response.created', response: response([], { status: 'in_progress', usage: null }) },
  { type: 'response.in_progress', response: response([], { status: 'in_progress', usage: null }) },
]
const added = (index: number, item: object) => ({ type: 'response.output_item.added', output_index: index, item })
const finished = (index: number, item: object) => ({ type: 'response.output_item.done', output_index: index, item })
const ended = (out: readonly object[], more: object = {}) => ({
  type: 'response.completed',
  response: response(out, more),
})
const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }

/** Every item that a tool of the provider makes, by the types of OpenAI's SDK. */
const hostedItems: Readonly<Record<string, object>> = {
  file_search_call: { id: 'fs_1', queries: ['a'], status: 'completed', results: null },
  web_search_call: { id: 'ws_1', status: 'completed', action: { type: 'search', query: 'a' } },
  computer_call: {
    id: 'cu_1',
    call_id: 'call_1',
    action: { type: 'screenshot' },
    pending_safety_checks: [],
    status: 'completed',
  },
  image_generation_call: { id: 'ig_1', result: 'AA==', status: 'completed' },
  code_interpreter_call: { id: 'ci_1', code: '1', container_id: 'c', outputs: null, status: 'completed' },
  local_shell_call: {
    id: 'ls_1',
    call_id: 'call_1',
    action: { type: 'exec', command: ['ls'], env: {} },
    status: 'completed',
  },
  shell_call: {
    id: 'sh_1',
    call_id: 'call_1',
    action: { commands: ['ls'], timeout_ms: null, max_output_length: null },
    status: 'completed',
  },
  apply_patch_call: {
    id: 'ap_1',
    call_id: 'call_1',
    operation: { type: 'delete_file', path: 'a' },
    status: 'completed',
  },
  mcp_call: { id: 'mcp_1', name: 'f', arguments: '{}', server_label: 's', output: 'x' },
  mcp_list_tools: { id: 'mcpl_1', server_label: 's', tools: [] },
  mcp_approval_request: { id: 'mcpr_1', name: 'f', arguments: '{}', server_label: 's' },
  tool_search_call: { id: 'ts_1', call_id: null, execution: 'server', arguments: {}, status: 'completed' },
  tool_search_output: { id: 'to_1', call_id: null, execution: 'server', tools: [], status: 'completed' },
  program: { id: 'p_1', call_id: 'call_1', code: 'x', fingerprint: 'y' },
  program_output: { id: 'po_1', call_id: 'call_1', result: 'x', status: 'completed' },
  additional_tools: { id: 'at_1', role: 'developer', tools: [] },
}

const hostedReplies: Built[] = Object.entries(hostedItems).flatMap(([type, members]) => [
  {
    name: `an item ${type}`,
    source: 'openai ResponseOutputItem',
    path,
    request: ask(),
    reply: response([{ type, ...members }, message([text('x')])]),
    refused: hosted,
  },
  {
    name: `an item ${type}, streamed`,
    source: 'openai ResponseStreamEvent',
    path,
    request: streamed(),
    reply: numbered([
      ...begun,
      added(0, { type, ...members }),
      finished(0, { type, ...members }),
      ended([{ type, ...members }]),
    ]),
    refused: hosted,
  },
])

const reasoned = thinking({
  encrypted_content: 'gAAA',
  summary: [
    { type: 'summary_text', text: 'A' },
    { type: 'summary_text', text: 'B' },
  ],
})

export const openaiResponses: Built[] = [
  ...hostedReplies,
  {
    name: 'thinking that is encrypted, phases, calls in parallel, a custom call and a namespace',
    source: `${api}/object`,
    path,
    request: ask({
      include: ['reasoning.encrypted_content'],
      store: false,
      tools: [
        { type: 'function', name: 'f', parameters: {}, strict: true, defer_loading: true },
        { type: 'custom', name: 'sql', format: { type: 'grammar', syntax: 'regex', definition: '.*' } },
        {
          type: 'namespace',
          name: 'crm',
          description: 'd',
          tools: [{ type: 'function', name: 'find', parameters: {} }],
        },
      ],
    }),
    reply: response([
      reasoned,
      message([text('Let me look.')], { phase: 'commentary' }),
      call(),
      call({ id: 'fc_2', call_id: 'call_2', name: 'find', namespace: 'crm', arguments: '{}' }),
      { id: 'ctc_1', type: 'custom_tool_call', status: 'completed', call_id: 'call_3', name: 'sql', input: '' },
    ]),
  },
  {
    name: 'the same, streamed',
    source: `${api}-streaming`,
    path,
    request: streamed(),
    reply: numbered([
      ...begun,
      added(0, thinking({ encrypted_content: 'gA' })),
      {
        type: 'response.reasoning_summary_part.added',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      },
      {
        type: 'response.reasoning_summary_text.delta',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        delta: 'A',
        obfuscation: 'x',
      },
      { type: 'response.reasoning_summary_text.done', item_id: 'rs_1', output_index: 0, summary_index: 0, text: 'A' },
      {
        type: 'response.reasoning_summary_part.done',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        part: { type: 'summary_text', text: 'A' },
      },
      {
        type: 'response.reasoning_summary_part.added',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 1,
        part: { type: 'summary_text', text: '' },
      },
      { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', output_index: 0, summary_index: 1, delta: 'B' },
      { type: 'response.reasoning_summary_text.done', item_id: 'rs_1', output_index: 0, summary_index: 1, text: 'B' },
      finished(0, reasoned),
      added(1, call({ arguments: '', status: 'in_progress' })),
      added(2, call({ id: 'fc_2', call_id: 'call_2', name: 'g', arguments: '', status: 'in_progress' })),
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: '{"a"' },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_2', output_index: 2, delta: '{}' },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 1, delta: ': 1}' },
      {
        type: 'response.function_call_arguments.done',
        item_id: 'fc_1',
        output_index: 1,
        name: 'f',
        arguments: '{"a": 1}',
      },
      finished(1, call()),
      { type: 'response.function_call_arguments.done', item_id: 'fc_2', output_index: 2, name: 'g', arguments: '{}' },
      finished(2, call({ id: 'fc_2', call_id: 'call_2', name: 'g', arguments: '{}' })),
      added(3, {
        id: 'ctc_1',
        type: 'custom_tool_call',
        status: 'in_progress',
        call_id: 'call_3',
        name: 'sql',
        input: '',
      }),
      { type: 'response.custom_tool_call_input.delta', item_id: 'ctc_1', output_index: 3, delta: 'SELECT\n1' },
      { type: 'response.custom_tool_call_input.done', item_id: 'ctc_1', output_index: 3, input: 'SELECT\n1' },
      finished(3, {
        id: 'ctc_1',
        type: 'custom_tool_call',
        status: 'completed',
        call_id: 'call_3',
        name: 'sql',
        input: 'SELECT\n1',
      }),
      ended([
        reasoned,
        call(),
        call({ id: 'fc_2', call_id: 'call_2', name: 'g', arguments: '{}' }),
        {
          id: 'ctc_1',
          type: 'custom_tool_call',
          status: 'completed',
          call_id: 'call_3',
          name: 'sql',
          input: 'SELECT\n1',
        },
      ]),
    ]),
  },
  {
    name: 'raw thinking of an open model',
    source: 'openai ResponseReasoningItem.Content',
    path,
    request: ask(),
    reply: response([
      thinking({
        status: 'completed',
        summary: [{ type: 'summary_text', text: 'S', signature: 's1' }],
        content: [{ type: 'reasoning_text', text: 'R', signature: 'r1' }],
        format: 'x',
      }),
      message([text('Hi', { tone: 'dry' })]),
    ]),
  },
  {
    name: 'a refusal beside a text',
    source: `${api}/object`,
    path,
    request: ask({ text: { format: { type: 'json_schema', name: 'a', schema: {}, strict: true }, verbosity: 'low' } }),
    reply: response([message([text('Well, '), { type: 'refusal', refusal: 'no.' }])]),
  },
  {
    name: 'a refusal, streamed',
    source: `${api}-streaming/response/refusal/delta`,
    path,
    request: streamed(),
    reply: numbered([
      ...begun,
      added(0, message([], { status: 'in_progress' })),
      { type: 'response.content_part.added', ...at, part: { type: 'refusal', refusal: '' } },
      { type: 'response.refusal.delta', ...at, delta: 'N' },
      { type: 'response.refusal.delta', ...at, delta: 'o' },
      { type: 'response.refusal.done', ...at, refusal: 'No' },
      { type: 'response.content_part.done', ...at, part: { type: 'refusal', refusal: 'No' } },
      finished(0, message([{ type: 'refusal', refusal: 'No' }])),
      ended([message([{ type: 'refusal', refusal: 'No' }])]),
    ]),
  },
  {
    name: 'a reply cut off in the middle of a call',
    source: `${api}/object#responses-object-incomplete_details`,
    path,
    request: ask({ max_output_tokens: 16 }),
    reply: response([call({ status: 'incomplete', arguments: '{"a": [1,' })], {
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    }),
  },
  {
    name: 'a filtered reply, streamed',
    source: `${api}-streaming/response/incomplete`,
    path,
    request: streamed(),
    reply: numbered([
      ...begun,
      added(0, message([], { status: 'in_progress' })),
      { type: 'response.content_part.added', ...at, part: text('') },
      { type: 'response.output_text.delta', ...at, delta: 'Hal', logprobs: [] },
      { type: 'response.output_text.done', ...at, text: 'Hal', logprobs: [] },
      { type: 'response.content_part.done', ...at, part: text('Hal') },
      finished(0, message([text('Hal')], { status: 'incomplete' })),
      {
        type: 'response.incomplete',
        response: response([message([text('Hal')], { status: 'incomplete' })], {
          status: 'incomplete',
          incomplete_details: { reason: 'content_filter' },
        }),
      },
    ]),
  },
  {
    name: 'a failed response',
    source: `${api}/object#responses-object-error`,
    path,
    request: ask(),
    reply: response([], { status: 'failed', error: { code: 'server_error', message: 'It broke.' }, usage: null }),
  },
  {
    name: 'a failed response, streamed',
    source: `${api}-streaming/response/failed`,
    path,
    request: streamed(),
    reply: numbered([
      ...begun,
      {
        type: 'response.failed',
        response: response([], {
          status: 'failed',
          error: { code: 'rate_limit_exceeded', message: 'Slow down.' },
          usage: null,
        }),
      },
    ]),
  },
  {
    name: 'an error event after some text',
    source: `${api}-streaming/error`,
    path,
    request: streamed(),
    reply: numbered([
      ...begun,
      added(0, message([], { status: 'in_progress' })),
      { type: 'response.content_part.added', ...at, part: text('') },
      { type: 'response.output_text.delta', ...at, delta: 'Hal', logprobs: [] },
      { type: 'error', code: 'server_error', message: 'It broke.', param: null },
    ]),
  },
  {
    name: 'items that are only told by their deltas',
    source: 'general: servers that repeat nothing in their last event',
    path,
    request: streamed(),
    reply: numbered([
      ...begun,
      added(0, message([], { status: 'in_progress' })),
      { type: 'response.content_part.added', ...at, part: text('') },
      { type: 'response.output_text.delta', ...at, delta: 'Hel', logprobs: [] },
      { type: 'response.output_text.delta', ...at, delta: 'lo', logprobs: [] },
      ended([]),
    ]),
  },
  {
    name: 'events of later versions, and keep-alives',
    source: 'general: clients skip what they do not know',
    path,
    request: streamed(),
    reply: numbered([
      ...begun,
      { type: 'keepalive' },
      added(0, message([], { status: 'in_progress' })),
      { type: 'response.content_part.added', ...at, part: text('') },
      { type: 'response.output_text.delta', ...at, delta: 'Hi', logprobs: [] },
      { type: 'response.mood.changed' },
      { type: 'response.output_text.done', ...at, text: 'Hi', logprobs: [] },
      finished(0, message([text('Hi')])),
      ended([message([text('Hi')])]),
    ]),
  },
  {
    name: 'citations',
    source: 'openai ResponseOutputText.URLCitation',
    path,
    request: ask(),
    reply: response([
      message([
        text('x', {
          annotations: [{ type: 'url_citation', start_index: 0, end_index: 1, title: 't', url: 'https://x.com' }],
        }),
      ]),
    ]),
    refused: sources,
  },
  {
    name: 'a citation, streamed',
    source: `${api}-streaming/response/output_text/annotation/added`,
    path,
    request: streamed(),
    reply: numbered([
      ...begun,
      added(0, message([], { status: 'in_progress' })),
      {
        type: 'response.output_text.annotation.added',
        ...at,
        annotation_index: 0,
        annotation: { type: 'file_path', file_id: 'f', index: 0 },
      },
    ]),
    refused: sources,
  },
  {
    name: 'log probabilities, streamed',
    source: `${api}-streaming/response/output_text/delta`,
    path,
    request: streamed({ include: ['message.output_text.logprobs'], top_logprobs: 2 }),
    reply: numbered([
      ...begun,
      added(0, message([])),
      {
        type: 'response.output_text.delta',
        ...at,
        delta: 'x',
        logprobs: [{ token: 'x', logprob: -1, top_logprobs: [] }],
      },
    ]),
    refused: 'logprobs in the reply',
  },
  {
    name: 'audio, streamed',
    source: 'openai ResponseAudioDeltaEvent',
    path,
    request: streamed(),
    reply: numbered([...begun, { type: 'response.audio.delta', delta: 'AA==' }]),
    refused: output,
  },
  {
    name: 'in the background',
    source: `${api}/create#responses-create-background`,
    path,
    request: ask({ background: true }),
    reply: response([]),
    refused: 'background',
  },
  {
    name: 'a response that waits in a queue',
    source: `${api}-streaming/response/queued`,
    path,
    request: streamed(),
    reply: numbered([{ type: 'response.queued', response: response([], { status: 'queued' }) }]),
    refused: 'background',
  },
  {
    name: 'a conversation',
    source: `${api}/create#responses-create-conversation`,
    path,
    request: ask({ conversation: 'conv_1' }),
    reply: response([]),
    refused: 'conversation',
  },
  {
    name: 'a history from outside the run',
    source: `${api}/create#responses-create-previous_response_id`,
    path,
    request: ask({ previous_response_id: 'resp_other' }),
    reply: response([]),
    refused: 'history from outside the run',
  },
  {
    name: 'an item from outside the run',
    source: 'openai ResponseInputItem.ItemReference',
    path,
    request: { model: 'm', input: [{ type: 'item_reference', id: 'msg_other' }] },
    reply: response([]),
    refused: 'history from outside the run',
  },
  {
    name: 'moderation',
    source: 'openai ResponseCreateParams.moderation',
    path,
    request: ask({ moderation: { model: 'omni' } }),
    reply: response([]),
    refused: 'inline moderation',
  },
  {
    name: 'a compaction',
    source: 'openai ResponseCompactionItem',
    path,
    request: ask({ context_management: [{ type: 'compaction', compact_threshold: 1000 }] }),
    reply: response([{ id: 'cmp_1', type: 'compaction', encrypted_content: 'x' }]),
    refused: 'compaction',
  },
  {
    name: 'a reply with nothing in it, and one message without content',
    source: `${api}/object`,
    path,
    request: ask(),
    reply: response([message([])]),
  },
  {
    name: 'what a response tells of its costs',
    source: 'https://openrouter.ai/docs/api/reference/responses/overview',
    path: '/api/v1/responses',
    request: ask(),
    reply: response([message([text('Hi')])], {
      usage: { ...usage, cost: 0.1, is_byok: true, cost_details: { upstream_inference_cost: null, note: 'free' } },
    }),
  },
]
