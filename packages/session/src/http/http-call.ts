import type { JsonValue, ToolCallPayload } from '@retake/trace'
import type { StoredResult } from '../cassette.ts'

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
