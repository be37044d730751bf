import type { JsonValue, Stop } from '@retake/trace'

/**
 * One reply of a model, written by hand in the shape that every provider's replies are recorded in. A text alone is a
 * final answer, a call alone a reply that asks for this one tool. Whatever SDK the agent uses gets it as its provider
 * would have sent it, with fresh ids and no token counts.
 */
export type ScriptedReply = string | ScriptedCall | ScriptedAnswer | ScriptedCalls

export interface ScriptedAnswer {
  type: 'final_answer'
  text: string
  /** Why the model stopped. Default `end`. */
  stop?: Stop
}

export interface ScriptedCalls {
  type: 'tool_calls'
  /** In the order in which the model asks for them; at least one. */
  calls: ScriptedCall[]
  /** What the model says before them. */
  text?: string
  /** Why the model stopped. Default `tools`. */
  stop?: Stop
}

export interface ScriptedCall {
  toolName: string
  /** Default `{}`. */
  toolInput?: JsonValue
}
