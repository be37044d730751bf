/**
 * What a model said, as any client would read it off the wire. The readers of this folder share no code with retake:
 * they are the second opinion on what a replay gives back.
 */
export interface Said {
  status: number
  /** How the body is written: an empty one, JSON, a stream of events, a JSON array in pieces, JSON lines, or text. */
  body: 'empty' | 'json' | 'events' | 'array' | 'lines' | 'text'
  /** In order; text of several choices follows choice by choice. */
  parts: SaidPart[]
  /** The provider's own word for why it stopped. */
  stop: string | null
  /** The stop sequence that matched, where the wire tells it. */
  stopText: string | null
  /** False for a stream that ended without its terminator, or whose connection broke. */
  complete: boolean
  /** What else the reply holds that an agent could use: `citations`, `logprobs`, `several choices` … */
  carries: string[]
  error: SaidError | null
  /** What a stream says once in its deltas and otherwise in its last event. */
  contradictions?: string[]
}

/** What the readers of one wire tell of a body with status 200. */
export type SaidInBody = Omit<Said, 'status' | 'body'>

export const saysNothing = (complete: boolean): SaidInBody => ({
  parts: [],
  stop: null,
  stopText: null,
  complete,
  carries: [],
  error: null,
})

export type SaidPart =
  | { type: 'text'; text: string }
  | { type: 'refusal'; text: string }
  /** Shown thinking, a part a block. */
  | { type: 'reasoning'; text: string }
  /** `text` are the arguments as the model wrote them, `value` what they parse to: undefined for broken JSON. */
  | { type: 'call'; name: string; text: string; value: unknown; custom: boolean; id: string }
  | { type: 'other'; kind: string }

export interface SaidError {
  message: string | null
  type: string | null
  code: string | null
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of many vendors, read member by member
export type Body = any

/** The body is not what its status and content type announce. */
export class UnreadableError extends Error {}

/** `undefined` where the text is no JSON. */
export const parseValue = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const textOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** The error of any provider's body: `{error: {…}}`, `{error: "…"}`, `{message}` or `{detail}`. */
export const readSaidError = (body: Body): SaidError => {
  const error = body?.error ?? body
  if (typeof error !== 'object' || error === null) return { message: textOrNull(error), type: null, code: null }
  return {
    message: textOrNull(error.message ?? error.detail),
    type: textOrNull(error.type),
    code: textOrNull(error.code),
  }
}

/** True for a member that holds something: not null, false, empty or an empty list. */
export const isFilled = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : typeof value === 'object' && value !== null ? true : Boolean(value)
