import type { JsonObject, JsonValue } from './json/json.ts'

// Type aliases, since an interface is no `JsonValue` to TypeScript.

/** The version of the trace model, and of the v2 file. */
export const CURRENT_TRACE_VERSION = 2

/** One run as data: the v2 model of the published trace format (docs/format.md). Every command works on it. */
export type Trace = {
  version: number
  /** Unique identifier of the run. */
  id: string
  /** Milliseconds since the epoch. */
  createdAt: number
  steps: TraceStep[]
  /** The run this one was forked from. */
  parentId?: string
  /** The step of the parent at which this run branched off. */
  forkedFromStepId?: string
}

/** What a step is: a request, a reply, a call of a tool, what the tool gave, or anything else about the run. */
export type TraceStepType = 'model_input' | 'model_output' | 'tool_call' | 'tool_result' | 'metadata'

/**
 * One entry of a run. `type` tells the shape of `payload`: `ModelInput`, `ModelOutput`, `ToolCallPayload`,
 * `ToolResultPayload`; a `metadata` step has any object.
 */
export type TraceStep = {
  /** `${trace.id}:${index}`; a fork may keep its parent's. Not hashed. */
  id: string
  index: number
  type: TraceStepType
  /** Milliseconds since the epoch. Hashed. */
  timestamp: number
  payload: JsonValue
  /** Hash of the step before; null for the first. */
  prevHash: string | null
  /** Lower-case hex SHA-256 of the canonical JSON of index, payload, prevHash, timestamp, type. */
  hash: string
}

/** Payload of a `model_input` step: everything about a request that changes what the model does. */
export type ModelInput = {
  messages: Message[]
  tools: ToolDefinition[]
  systemPrompt?: string
  model?: string
  /** Request controls under neutral names; `other` keeps the fields retake does not know, verbatim. */
  params?: JsonObject
}

/** One message of a request. What tools gave is a `user` message of `tool_result` parts. */
export type Message = {
  role: 'user' | 'assistant' | 'system'
  content: string | MessagePart[]
  name?: string
}

/** What a message may consist of. */
export type MessagePart = TextPart | ToolUsePart | ToolResultPart | MediaPart | RefusalPart

export type TextPart = {
  type: 'text'
  text: string
}

export type RefusalPart = {
  type: 'refusal'
  text: string
}

/** Part of a reply only: thinking that the provider showed. It is dropped from histories. */
export type ReasoningPart = {
  type: 'reasoning'
  text: string
}

/**
 * An image, audio or document: by digest of its decoded bytes, or by the reference the request gave. `options` holds
 * other members that change what the model sees (detail, title, file name …), verbatim.
 */
export type MediaPart =
  | { type: 'media'; mediaType: string; sha256: string; bytes: number; options?: JsonObject }
  | { type: 'media'; mediaType: string; ref: string; options?: JsonObject }

/** One call the model asked for. */
export type ToolCall = {
  /** In a trace `call-N`; straight from a wire the provider's own id, empty where the wire has none. */
  toolCallId: string
  toolName: string
  toolInput: JsonValue
  /** A tool that takes one string instead of JSON. */
  kind?: 'custom'
  /** The argument text as the model wrote it, where parse and compact print do not give it back. */
  inputText?: string
}

export type ToolUsePart = ToolCall & { type: 'tool_use' }

export type ToolResultPart =
  | { type: 'tool_result'; toolCallId: string; toolName: string; result: JsonValue }
  | { type: 'tool_result'; toolCallId: string; toolName: string; error: string }

/** A tool that a request offers to the model. */
export type ToolDefinition = {
  name: string
  description: string
  inputSchema?: JsonValue
  /** `custom` for string-input tools, else the provider's word for a tool type it defines and the client runs. */
  kind?: string
  /** Other members that change behaviour (strict, format, input examples …), verbatim. */
  options?: JsonObject
}

/** Why the model stopped. The ordinary one (`end` of an answer, `tools` of a call turn) is not stored. */
export type Stop = 'end' | 'tools' | 'length' | 'filter' | 'refusal' | 'sequence' | 'pause' | 'context'

/** What a reply may consist of. */
export type ReplyPart = TextPart | ReasoningPart | RefusalPart | ToolUsePart | MediaPart

type ModelOutputExtension = {
  stop?: Stop
  /** The stop sequence that matched. */
  stopText?: string
  /** The provider's own word in lower case, where the way back from `stop` is not one to one. */
  stopDetail?: string
  /** Only where `text` and `calls` do not tell the order: reasoning, refusal, media, text after a call, several texts. */
  parts?: ReplyPart[]
}

/** Payload of a `model_output` step. Readers go through `toolCallsOf`, which takes both call shapes. */
export type ModelOutput =
  | (ModelOutputExtension & { type: 'final_answer'; text: string })
  | (ModelOutputExtension & { type: 'tool_calls'; calls: ToolCall[]; text?: string })
  | (ModelOutputExtension & ToolCall & { type: 'tool_call' })

/** Payload of a `tool_call` step. `origin` marks a call that no reply asked for. */
export type ToolCallPayload = ToolCall & {
  origin?: 'agent' | 'endpoint' | 'http' | 'mcp'
}

/**
 * Payload of a `tool_result` step. `noValue`: the tool returned undefined, stored as null. `errorName` is the class of
 * the thrown error, where it was not `Error`; `string` for a thrown text. `promise`: a function that is not declared
 * async gave a promise.
 */
export type ToolResultPayload =
  | { toolCallId: string; toolName: string; result: JsonValue; noValue?: true; promise?: true }
  | { toolCallId: string; toolName: string; error: string; errorName?: string; promise?: true }

/** Payload of a `metadata` step: one failed attempt of a model call, between its input and its output. */
export type ModelError = {
  event: 'model_error'
  /** HTTP status; 200 for an error inside a stream; 0 where no response came. */
  status: number
  /** `rate_limit`, `overloaded`, `invalid_request`, `authentication`, … or `aborted`, `cut`, `network`. */
  kind: string
  /** Masked for keys; provider ids are `call-N` or `<id>`. */
  message: string
  /** The provider's own words, where its SDK hands them to the agent. */
  type?: string
  code?: string
  param?: string
  /**
   * The provider's error body, where the members above do not give it back: further members, another shape, or a text
   * that is no JSON. User data; masked like `message`.
   */
  error?: JsonValue
  /** Parts of the reply that had arrived, and how many of them were complete. Empty where only its head had. */
  parts?: ReplyPart[]
  afterParts?: number
  /** The model that the provider named in a stream before its error. */
  servedModel?: string
  /** The reason to stop that a stream told before its error, in the provider's own word. */
  stopDetail?: string
  /** Lengths in UTF-16 code units of the deltas in which those parts came, in order: agents stop after the n-th. */
  chunks?: number[]
  retryAfterMs?: number
  /** Where the wait was told, if not in the `retry-after` header: in `retry-after-ms` alone, or in the body. */
  retryAfterIn?: 'ms' | 'body'
  /** The provider said `x-should-retry: false`; false where it said `true` of a status that is not tried again by itself. */
  noRetry?: boolean
}
