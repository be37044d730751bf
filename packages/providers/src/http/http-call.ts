import type { JsonValue, ToolCallPayload } from '@retake/trace'
import type { Endpoint } from '../endpoints/endpoint.ts'

/** A request that is for no conversation with a model. */
export interface HttpAsked {
  readonly url: URL
  /** The endpoint of a provider that it is for. */
  readonly endpoint: Endpoint | undefined
  /** Upper case. */
  readonly method: string
  readonly headers: Headers
  /** The body as it goes over the wire. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** True for a body that the client sends, and that cannot be seen. */
  readonly hidesBody: boolean
}

/** Whatever a tool or a server returned, as it is stored. */
export type StoredResult = { result: JsonValue; noValue?: true } | { error: string; errorName?: string }

/** A request as the tool call it is in the trace, and the way back from the recorded result. */
export interface HttpCall {
  readonly origin: Exclude<ToolCallPayload['origin'], 'agent' | undefined>
  readonly toolName: string
  /** What makes it the same request; compared. */
  readonly toolInput: JsonValue
  /** @throws UnsupportedError for what a replay could not give back */
  toResult(response: HttpAnswer): StoredResult
  /** Undefined where the server gave none. */
  toAnswer(result: StoredResult): HttpAnswer | undefined
}

/** A response, whole or as far as it came. */
export interface HttpAnswer {
  status: number
  /** The reason phrase. */
  statusText: string
  /** Lower-case names. */
  headers: Record<string, string>
  bytes: Uint8Array<ArrayBuffer>
  /** How the body ends where it is not complete: cut by the server, or the client hung up. */
  end?: 'cut' | 'aborted'
  /** Where redirects led. */
  url?: string
}
