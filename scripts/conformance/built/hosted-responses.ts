import { type Built, hosted } from './built.ts'
import {
  added,
  ask,
  begun,
  ended,
  finished,
  message,
  numbered,
  path,
  response,
  streamed,
  text,
} from './responses-shapes.ts'

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

export const hostedReplies: Built[] = Object.entries(hostedItems).flatMap(([type, members]) => [
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
