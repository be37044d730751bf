import { type FakeReply, type Scripted, splitText } from './reply.ts'

/** OpenAI Chat Completions as the API sends it: https://platform.openai.com/docs/api-reference/chat */
export interface ChatToolCall {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export interface ChatTurn {
  content?: string | null
  refusal?: string
  /** Thinking, as DeepSeek names it. OpenAI shows none on this wire. */
  reasoning_content?: string
  /** Thinking, as Groq and OpenRouter name it. */
  reasoning?: string
  /** Thinking, as a chunk of the content: Mistral. */
  thinkingChunk?: string
  tool_calls?: ChatToolCall[]
  /** [tool_calls with calls, else stop] */
  finish_reason?: string
  model?: string
  id?: string
}

export interface ChatStreamOptions {
  /** Deltas of each text, reasoning and argument string. [1] */
  pieces?: number
  pauseMs?: number
  /** The chunk that `stream_options.include_usage` asks for; `last`: counted unasked, in the last chunk. [false] */
  usage?: boolean | 'last'
  /** A call is one delta, as vendors send it; OpenAI cuts its arguments. [false] */
  wholeCalls?: boolean
}

/** A call with its arguments as text, or as a value that is printed compactly. */
export const chatCall = (id: string, name: string, args: string | object): ChatToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
})

const CREATED = 1_764_460_800
const usage = { prompt_tokens: 31, completion_tokens: 17, total_tokens: 48 }
const finishOf = (turn: ChatTurn): string => turn.finish_reason ?? (turn.tool_calls?.length ? 'tool_calls' : 'stop')

export const chatJson = (turn: ChatTurn): FakeReply => ({
  body: JSON.stringify({
    id: turn.id ?? 'chatcmpl-F4k3Chat0001',
    object: 'chat.completion',
    created: CREATED,
    model: turn.model ?? 'gpt-5-2025-08-07',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: turn.thinkingChunk === undefined ? (turn.content ?? null) : contentChunks(turn),
          ...(turn.reasoning_content !== undefined && { reasoning_content: turn.reasoning_content }),
          ...(turn.reasoning !== undefined && { reasoning: turn.reasoning }),
          ...(turn.tool_calls && { tool_calls: turn.tool_calls }),
          refusal: turn.refusal ?? null,
          // Vendors that show thinking leave it out.
          ...(turn.reasoning_content === undefined && turn.reasoning === undefined && { annotations: [] }),
        },
        logprobs: null,
        finish_reason: finishOf(turn),
      },
    ],
    usage,
    service_tier: 'default',
    system_fingerprint: null,
  }),
})

const thinkingChunk = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] })

const contentChunks = ({ thinkingChunk: thinking = '', content }: ChatTurn): object[] => [
  thinkingChunk(thinking),
  ...(content ? [{ type: 'text', text: content }] : []),
]

const deltasOf = (turn: ChatTurn, { pieces = 1, wholeCalls = false }: ChatStreamOptions): object[] => {
  const deltas: object[] = splitText(turn.thinkingChunk ?? '', pieces).map((text) => ({
    content: [thinkingChunk(text)],
  }))
  for (const name of ['reasoning_content', 'reasoning', 'content', 'refusal'] as const) {
    for (const piece of splitText(turn[name] ?? '', pieces)) deltas.push({ [name]: piece })
  }
  for (const [index, call] of (turn.tool_calls ?? []).entries()) {
    if (wholeCalls) {
      deltas.push({ tool_calls: [{ index, ...call }] })
      continue
    }
    const { name, arguments: args } = call.function
    deltas.push({ tool_calls: [{ index, id: call.id, type: 'function', function: { name, arguments: '' } }] })
    for (const piece of splitText(args, pieces))
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  return deltas
}

/** One chunk an event, `data: [DONE]` last. */
export const chatStream = (turn: ChatTurn, options: ChatStreamOptions = {}): FakeReply => {
  const event = (choices: object[], rest: object = {}) =>
    `data: ${JSON.stringify({
      id: turn.id ?? 'chatcmpl-F4k3Chat0001',
      object: 'chat.completion.chunk',
      created: CREATED,
      model: turn.model ?? 'gpt-5-2025-08-07',
      service_tier: 'default',
      system_fingerprint: null,
      choices,
      ...rest,
    })}\n\n`
  const choice = (delta: object, finish: string | null = null) => [
    { index: 0, delta, logprobs: null, finish_reason: finish },
  ]
  return {
    chunks: [
      event(
        choice({
          role: 'assistant',
          content: turn.content == null ? null : '',
          refusal: turn.refusal === undefined ? null : '',
        }),
      ),
      ...deltasOf(turn, options).map((delta) => event(choice(delta))),
      event(choice({}, finishOf(turn)), options.usage === 'last' ? { usage } : {}),
      ...(options.usage === true ? [event([], { usage })] : []),
      'data: [DONE]\n\n',
    ],
    ...(options.pauseMs !== undefined && { pauseMs: options.pauseMs }),
  }
}

/** A stream if the request asks for one, with usage if it asks for that; else JSON. */
export const chatReply =
  (turn: ChatTurn, options: ChatStreamOptions = {}): Scripted =>
  ({ body }) =>
    body.stream ? chatStream(turn, { usage: body.stream_options?.include_usage === true, ...options }) : chatJson(turn)

export const chatError = (
  status: number,
  error: { message: string; type?: string; code?: string | null; param?: string | null },
  headers: Record<string, string> = {},
): FakeReply => ({
  status,
  headers: { 'x-request-id': 'req_f4k3', ...headers },
  body: JSON.stringify({
    error: {
      message: error.message,
      type: error.type ?? 'invalid_request_error',
      param: error.param ?? null,
      code: error.code ?? null,
    },
  }),
})
