import { type FakeReply, type Scripted, splitText } from './reply.ts'

/** Output items as the Responses API sends them: https://platform.openai.com/docs/api-reference/responses/object */
export type ResponsesItem =
  | { type: 'message'; id: string; text?: string; refusal?: string; phase?: 'commentary' | 'final_answer' }
  | { type: 'reasoning'; id: string; summary: string[]; encrypted_content?: string }
  | { type: 'function_call'; id: string; call_id: string; name: string; arguments: string; namespace?: string }
  | { type: 'custom_tool_call'; id: string; call_id: string; name: string; input: string }

export interface ResponsesTurn {
  output: ResponsesItem[]
  /** [completed] */
  status?: 'completed' | 'incomplete' | 'failed'
  /** Why a reply is incomplete. */
  reason?: 'max_output_tokens' | 'content_filter'
  /** Why a reply failed. */
  error?: { code: string; message: string }
  model?: string
  id?: string
}

export interface ResponsesStreamOptions {
  /** Deltas of each text, summary and argument string. [1] */
  pieces?: number
  pauseMs?: number
}

/** A call with its arguments as text, or as a value that is printed compactly. */
export const responsesCall = (callId: string, name: string, args: string | object): ResponsesItem => ({
  type: 'function_call',
  id: `fc_of_${callId}`,
  call_id: callId,
  name,
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
})

export const responsesText = (text: string, id = 'msg_F4k3Item0001'): ResponsesItem => ({ type: 'message', id, text })

const itemOf = (item: ResponsesItem, status = 'completed'): Record<string, unknown> => {
  if (item.type === 'reasoning') {
    const { summary, ...rest } = item
    return { ...rest, summary: summary.map((text) => ({ type: 'summary_text', text })) }
  }
  if (item.type !== 'message') return { ...item, status }
  const { id, type, text, refusal, phase } = item
  const content =
    refusal === undefined
      ? { type: 'output_text', annotations: [], logprobs: [], text: text ?? '' }
      : { type: 'refusal', refusal }
  return { id, type, status, content: [content], ...(phase && { phase }), role: 'assistant' }
}

const responseOf = (turn: ResponsesTurn, status: string, output: object[]) => ({
  id: turn.id ?? 'resp_F4k3Response0001',
  object: 'response',
  created_at: 1_764_460_800,
  status,
  background: false,
  error: status === 'failed' ? (turn.error ?? null) : null,
  incomplete_details: status === 'incomplete' ? { reason: turn.reason ?? 'max_output_tokens' } : null,
  instructions: null,
  max_output_tokens: null,
  model: turn.model ?? 'gpt-5-2025-08-07',
  output,
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: 'medium', summary: null },
  service_tier: status === 'in_progress' ? 'auto' : 'default',
  store: true,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  usage:
    status === 'in_progress'
      ? null
      : {
          input_tokens: 31,
          input_tokens_details: { cached_tokens: 8 },
          output_tokens: 17,
          output_tokens_details: { reasoning_tokens: 4 },
          total_tokens: 48,
        },
  user: null,
  metadata: {},
})

/** The last item of a reply that was cut short is itself incomplete. */
const outputOf = (turn: ResponsesTurn): Record<string, unknown>[] =>
  turn.output.map((item, n) =>
    itemOf(item, turn.status === 'incomplete' && n === turn.output.length - 1 ? 'incomplete' : 'completed'),
  )

const statusOf = (turn: ResponsesTurn): string => turn.status ?? 'completed'

export const responsesJson = (turn: ResponsesTurn): FakeReply => ({
  headers: { 'x-request-id': 'req_f4k3' },
  body: JSON.stringify(responseOf(turn, statusOf(turn), outputOf(turn))),
})

type Event = { type: string; [member: string]: unknown }

/** The events between the start of an item and its end. */
const fillItem = (item: ResponsesItem, at: object, pieces: number): Event[] => {
  const deltas = (name: string, text: string, where: object): Event[] =>
    splitText(text, pieces).map((delta) => ({ type: `response.${name}.delta`, ...where, delta }))
  switch (item.type) {
    case 'message': {
      const where = { ...at, content_index: 0 }
      if (item.refusal !== undefined) {
        const { refusal } = item
        return [
          { type: 'response.content_part.added', ...where, part: { type: 'refusal', refusal: '' } },
          ...deltas('refusal', refusal, where),
          { type: 'response.refusal.done', ...where, refusal },
          { type: 'response.content_part.done', ...where, part: { type: 'refusal', refusal } },
        ]
      }
      const { text = '' } = item
      const part = { type: 'output_text', annotations: [], logprobs: [] }
      return [
        { type: 'response.content_part.added', ...where, part: { ...part, text: '' } },
        ...deltas('output_text', text, where),
        { type: 'response.output_text.done', ...where, text, logprobs: [] },
        { type: 'response.content_part.done', ...where, part: { ...part, text } },
      ]
    }
    case 'reasoning':
      return item.summary.flatMap((text, summary_index) => {
        const where = { ...at, summary_index }
        return [
          { type: 'response.reasoning_summary_part.added', ...where, part: { type: 'summary_text', text: '' } },
          ...deltas('reasoning_summary_text', text, where),
          { type: 'response.reasoning_summary_text.done', ...where, text },
          { type: 'response.reasoning_summary_part.done', ...where, part: { type: 'summary_text', text } },
        ]
      })
    case 'function_call':
      return [
        ...deltas('function_call_arguments', item.arguments, at),
        { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments },
      ]
    case 'custom_tool_call':
      return [
        ...deltas('custom_tool_call_input', item.input, at),
        { type: 'response.custom_tool_call_input.done', ...at, input: item.input },
      ]
  }
}

const emptyItem = (item: ResponsesItem): object => {
  const whole = itemOf(item)
  switch (item.type) {
    case 'message':
      return { ...whole, status: 'in_progress', content: [] }
    case 'reasoning':
      return { ...whole, summary: [] }
    case 'function_call':
      return { ...whole, status: 'in_progress', arguments: '' }
    case 'custom_tool_call':
      return { ...whole, status: 'in_progress', input: '' }
  }
}

/** One chunk an event, each with its `event:` line and number, the whole response last. */
export const responsesStream = (turn: ResponsesTurn, options: ResponsesStreamOptions = {}): FakeReply => {
  const started = responseOf(turn, 'in_progress', [])
  const status = statusOf(turn)
  const output = outputOf(turn)
  const events: Event[] = [
    { type: 'response.created', response: started },
    { type: 'response.in_progress', response: started },
    ...turn.output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: emptyItem(item) },
      ...fillItem(item, { item_id: item.id, output_index }, options.pieces ?? 1),
      { type: 'response.output_item.done', output_index, item: output[output_index] },
    ]),
    { type: `response.${status}`, response: responseOf(turn, status, output) },
  ]
  return {
    headers: { 'x-request-id': 'req_f4k3' },
    chunks: events.map(
      (event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
    ),
    ...(options.pauseMs !== undefined && { pauseMs: options.pauseMs }),
  }
}

/** A stream if the request asks for one, else JSON. */
export const responsesReply =
  (turn: ResponsesTurn, options: ResponsesStreamOptions = {}): Scripted =>
  ({ body }) =>
    body.stream ? responsesStream(turn, options) : responsesJson(turn)
