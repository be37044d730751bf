import { type FakeReply, type Scripted, splitText } from './reply.ts'

/** Content blocks as the Messages API sends them: https://platform.claude.com/docs/en/api/messages */
export type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: Record<string, unknown> }

export interface AnthropicTurn {
  content: AnthropicBlock[]
  /** [tool_use with a call, else end_turn] */
  stop_reason?: string
  stop_sequence?: string | null
  model?: string
  id?: string
}

export interface AnthropicStreamOptions {
  /** Deltas of each text, thinking and input. [1] */
  pieces?: number
  pauseMs?: number
}

const stopOf = (turn: AnthropicTurn): string =>
  turn.stop_reason ?? (turn.content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn')

const messageOf = (turn: AnthropicTurn, content: AnthropicBlock[], stop: string | null) => ({
  model: turn.model ?? 'claude-sonnet-5-5',
  id: turn.id ?? 'msg_01F4k3Message0001',
  type: 'message',
  role: 'assistant',
  content: content.map((block) => (block.type === 'tool_use' ? { ...block, caller: { type: 'direct' } } : block)),
  stop_reason: stop,
  stop_sequence: stop === null ? null : (turn.stop_sequence ?? null),
  usage: {
    input_tokens: 31,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: stop === null ? 1 : 17,
    service_tier: 'standard',
  },
})

export const anthropicJson = (turn: AnthropicTurn): FakeReply => ({
  headers: { 'request-id': 'req_011F4k3' },
  body: JSON.stringify(messageOf(turn, turn.content, stopOf(turn))),
})

/** The block as `content_block_start` shows it, and the deltas that fill it. */
const openBlock = (block: AnthropicBlock, pieces: number): { start: object; deltas: object[] } => {
  switch (block.type) {
    case 'text':
      return {
        start: { type: 'text', text: '' },
        deltas: splitText(block.text, pieces).map((text) => ({ type: 'text_delta', text })),
      }
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...splitText(block.thinking, pieces).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block.signature },
        ],
      }
    case 'tool_use':
      return {
        start: { type: 'tool_use', id: block.id, name: block.name, input: {}, caller: { type: 'direct' } },
        deltas: ['', ...splitText(JSON.stringify(block.input), pieces)].map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      }
    case 'redacted_thinking':
      return { start: block, deltas: [] }
  }
}

/** One chunk an event, each with its `event:` line, `message_stop` last. */
export const anthropicStream = (turn: AnthropicTurn, options: AnthropicStreamOptions = {}): FakeReply => {
  const event = (data: { type: string; [member: string]: unknown }) =>
    `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
  const blocks = turn.content.flatMap((block, index) => {
    const { start, deltas } = openBlock(block, options.pieces ?? 1)
    return [
      event({ type: 'content_block_start', index, content_block: start }),
      ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ]
  })
  const delta = { stop_reason: stopOf(turn), stop_sequence: turn.stop_sequence ?? null }
  return {
    headers: { 'request-id': 'req_011F4k3' },
    chunks: [
      event({ type: 'message_start', message: messageOf(turn, [], null) }),
      event({ type: 'ping' }),
      ...blocks,
      event({ type: 'message_delta', delta, usage: { output_tokens: 17 } }),
      event({ type: 'message_stop' }),
    ],
    ...(options.pauseMs !== undefined && { pauseMs: options.pauseMs }),
  }
}

/** A stream if the request asks for one, else JSON. */
export const anthropicReply =
  (turn: AnthropicTurn, options: AnthropicStreamOptions = {}): Scripted =>
  ({ body }) =>
    body.stream ? anthropicStream(turn, options) : anthropicJson(turn)

export const anthropicError = (
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): FakeReply => ({
  status,
  headers: { 'request-id': 'req_011F4k3', ...headers },
  body: JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_011F4k3' }),
})

/** The event with which the API ends a stream that failed after its status line. */
export const anthropicErrorEvent = (type: string, message: string): string =>
  `event: error\ndata: ${JSON.stringify({ type: 'error', error: { type, message } })}\n\n`
