import { type FakeReply, type Scripted, splitText } from './reply.ts'

/** A call as the server sends it: https://docs.ollama.com/capabilities/tool-calling. Servers before 0.12 send no ids. */
export interface OllamaToolCall {
  id?: string
  function: { index?: number; name: string; arguments: Record<string, unknown> }
}

export interface OllamaTurn {
  content?: string
  thinking?: string
  tool_calls?: OllamaToolCall[]
  /** [stop] */
  done_reason?: string
}

export interface OllamaStreamOptions {
  /** Lines for each text. [1] */
  pieces?: number
  pauseMs?: number
}

const head = { model: 'qwen3:8b', created_at: '2026-08-07T06:08:11.017589Z' }

const endingOf = ({ done_reason = 'stop' }: OllamaTurn) => ({
  done: true,
  done_reason,
  total_duration: 1671921584,
  load_duration: 140923875,
  prompt_eval_count: 310,
  prompt_eval_duration: 155740000,
  eval_count: 145,
  eval_duration: 1361034000,
})

const ollamaJson = (turn: OllamaTurn): FakeReply => {
  const { content = '', thinking, tool_calls } = turn
  const message = { role: 'assistant', content, ...(thinking && { thinking }), ...(tool_calls && { tool_calls }) }
  return {
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ ...head, message, ...endingOf(turn) }),
  }
}

const lineOf = (message: object, ending: object = { done: false }): string =>
  `${JSON.stringify({ ...head, message: { role: 'assistant', content: '', ...message }, ...ending })}\n`

/** A line a piece, calls in one, and an empty one with the reason and the counts. */
export const ollamaStream = (turn: OllamaTurn, { pieces = 1, pauseMs }: OllamaStreamOptions = {}): FakeReply => {
  const { content = '', thinking = '', tool_calls } = turn
  return {
    headers: { 'content-type': 'application/x-ndjson' },
    chunks: [
      ...splitText(thinking, pieces).map((piece) => lineOf({ thinking: piece })),
      ...splitText(content, pieces).map((piece) => lineOf({ content: piece })),
      ...(tool_calls ? [lineOf({ tool_calls })] : []),
      lineOf({}, endingOf(turn)),
    ],
    ...(pauseMs !== undefined && { pauseMs }),
  }
}

/** What the request asks for; without a word it asks for a stream. */
export const ollamaReply =
  (turn: OllamaTurn, options: OllamaStreamOptions = {}): Scripted =>
  ({ body }) =>
    body?.stream === false ? ollamaJson(turn) : ollamaStream(turn, options)

export const ollamaError = (status: number, error: string): FakeReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({ error }),
})

/** An error among the lines of a stream. */
export const ollamaErrorLine = (error: string): string => `${JSON.stringify({ error })}\n`
