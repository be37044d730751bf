import { type FakeReply, type Scripted, splitText } from './reply.ts'

/** Parts as the Gemini API sends them: https://ai.google.dev/api/caching#Part */
export type GeminiPart =
  | { text: string; thought?: true; thoughtSignature?: string }
  | { functionCall: { id?: string; name: string; args: Record<string, unknown> }; thoughtSignature?: string }

export interface GeminiTurn {
  parts: GeminiPart[]
  /** [STOP] */
  finishReason?: string
  finishMessage?: string
}

export interface GeminiStreamOptions {
  /** Responses for each text. [1] */
  pieces?: number
  pauseMs?: number
}

const usage = { promptTokenCount: 31, candidatesTokenCount: 17, totalTokenCount: 53, thoughtsTokenCount: 5 }
const tail = { modelVersion: 'gemini-3-pro-001', responseId: 'f4k3Response' }

const responseOf = (parts: GeminiPart[], ending: object = {}) => ({
  // A candidate that says nothing has no parts.
  candidates: [{ content: { ...(parts.length > 0 && { parts }), role: 'model' }, ...ending, index: 0 }],
  usageMetadata: usage,
  ...tail,
})

const endingOf = ({ finishReason = 'STOP', finishMessage }: GeminiTurn) => ({
  finishReason,
  ...(finishMessage !== undefined && { finishMessage }),
})

const geminiJson = (turn: GeminiTurn): FakeReply => ({
  body: JSON.stringify(responseOf(turn.parts, endingOf(turn))),
})

/** The answer to a prompt that was blocked. */
export const geminiBlocked = (blockReason: string): FakeReply => ({
  body: JSON.stringify({ promptFeedback: { blockReason }, usageMetadata: { promptTokenCount: 31 }, ...tail }),
})

/** A response a piece, and one of an empty text with the reason, as newer models end. */
const responsesOf = (turn: GeminiTurn, pieces: number): object[] => {
  const parts = turn.parts.flatMap((part): GeminiPart[] =>
    'text' in part ? splitText(part.text, pieces).map((text) => ({ ...part, text })) : [part],
  )
  return [...parts.map((part) => responseOf([part])), responseOf([{ text: '' }], endingOf(turn))]
}

const geminiStream = (turn: GeminiTurn, { pieces = 1, pauseMs }: GeminiStreamOptions = {}): FakeReply => ({
  chunks: responsesOf(turn, pieces).map((response) => `data: ${JSON.stringify(response)}\r\n\r\n`),
  ...(pauseMs !== undefined && { pauseMs }),
})

/** Without `alt=sse` the API streams one JSON array. */
const geminiArray = (turn: GeminiTurn, { pieces = 1, pauseMs }: GeminiStreamOptions = {}): FakeReply => ({
  headers: { 'content-type': 'application/json; charset=UTF-8' },
  chunks: [
    ...responsesOf(turn, pieces).map(
      (response, nth) => `${nth === 0 ? '[' : ',\r\n'}${JSON.stringify(response, null, 2)}`,
    ),
    '\n]',
  ],
  ...(pauseMs !== undefined && { pauseMs }),
})

/** What the path and query ask for. */
export const geminiReply =
  (turn: GeminiTurn, options: GeminiStreamOptions = {}): Scripted =>
  ({ url }) => {
    if (!url.includes(':streamGenerateContent')) return geminiJson(turn)
    return url.includes('alt=sse') ? geminiStream(turn, options) : geminiArray(turn, options)
  }

export const geminiError = (code: number, status: string, message: string, details?: object[]): FakeReply => ({
  status: code,
  body: JSON.stringify({ error: { code, message, status, ...(details && { details }) } }),
})
