import type { JsonObject, JsonValue, MessagePart, ToolCall } from '@retake/trace'

/** One thing that is said, asked for, returned or set in a run, where it comes up first. */
export type Utterance = Setting | Sent | Said | Call | Result | Event

interface InRun {
  /** Index of the step that says it. */
  step: number
}

/** What a request sets, where it is new or other than before: model, systemPrompt, tools, params, … */
export interface Setting extends InRun {
  kind: 'setting'
  name: string
  value: JsonValue
}

/** A part of a message that the agent's code sends, and that no reply or result has told before. */
export interface Sent extends InRun {
  kind: 'sent'
  /** Role, and the name where there is one. */
  role: string
  part: MessagePart
}

/** What the model says. `isAnswer` beside no call. */
export interface Said extends InRun {
  kind: 'said'
  type: 'text' | 'reasoning' | 'refusal' | 'media'
  text: string
  isAnswer: boolean
  /** Why the model stopped, where it is not the ordinary reason. */
  stop?: string
}

/** A call; `byCode` where the agent's code made it, or made it otherwise than the model asked. */
export interface Call extends InRun {
  kind: 'call'
  call: ToolCall
  byCode: boolean
  stop?: string
}

/** What a tool gave back, and to which call, where that is in the run. */
export interface Result extends InRun {
  kind: 'result'
  toolName: string
  value: JsonValue
  isError: boolean
  call?: ToolCall
}

/** A failed attempt, the end of a run that failed, or another event. */
export interface Event extends InRun {
  kind: 'event'
  payload: JsonObject
}
