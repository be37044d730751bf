import type { JsonObject, JsonValue, ModelError, ModelInput, ReplyPart, Stop } from '@retake/trace'

/**
 * One reply of a model in the shape that every wire is read into and written from.
 * Tool calls carry the provider's own ids here; the session turns them into `call-N`.
 */
export interface Turn {
  parts: ReplyPart[]
  stop: Stop
  stopText?: string
  stopDetail?: string
}

/** What a reply carried that no v2 payload may hold. Never compared; lives in the extras of a v3 cassette. */
export interface ReplyExtras {
  tokens?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number; reasoning?: number }
  servedModel?: string
  /** Milliseconds from the request to the first and to the last byte of the reply. */
  firstByteMs?: number
  durationMs?: number
  /** Lengths in UTF-16 code units of the text, reasoning and argument deltas, in order. */
  chunks?: number[]
  /** Provider blobs that a live continuation needs, by index into `parts`. */
  opaque?: { part: number; kind: string; value: JsonValue }[]
}

export interface Reply {
  turn: Turn
  extras: ReplyExtras
  held?: HeldReply
}

/** What a provider keeps of a reply, so that later requests need only name it. Never stored. */
export interface HeldReply {
  id: string
  /** Its items as a history holds them, in the provider's own shape. */
  items: JsonObject[]
}

/** The replies of one run so far, by the ids that the agent was given. */
export interface HeldHistory {
  /** A reply with its request, whose history is complete. */
  reply(id: string): { request: WireRequest; items: readonly JsonObject[] } | undefined
  item(id: string): JsonObject | undefined
}

/** A failed attempt without its `event` member. */
export type WireError = Omit<ModelError, 'event'>

/** One HTTP request on its way to a model. */
export interface WireRequest {
  url: string
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  body: JsonObject
}

/** One HTTP answer, ready to be given to a client. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  /** JSON: one text. A stream: one text, or one frame of bytes, an event, in order. */
  body: string | (string | Uint8Array)[]
  /**
   * How the body ends when it is not complete: as if it were, by a connection that is cut or stays silent, or because the
   * client's time-out is over.
   */
  end?: 'early' | 'cut' | 'silent' | 'timeout'
  held?: HeldReply
}

export interface WriteContext {
  /** The request being answered: its model is echoed, its streaming flags decide the shape. */
  request: WireRequest
  /** Unique within the run; the ids of the answer are made from it. */
  replyId: string
  /** Milliseconds since the epoch of the recorded reply. */
  timestamp: number
  extras?: ReplyExtras
}

/** Reads a stream while it is passed on, in any cut; it never throws before `finish`. */
export interface StreamReader {
  push(bytes: Uint8Array): void
  /** True once the wire's own terminator was seen: the stream is complete, even if the client hangs up now. */
  readonly terminated: boolean
  /**
   * The reply, or the error that stood inside the stream (with the parts before it). Without a terminator: what had
   * arrived as `{ error: { kind: 'cut', … } }`.
   * `hungUp`: the client went away; a reply that has told why it stopped is complete then.
   * @throws UnsupportedError for what a replay could not give back
   */
  finish(hungUp?: boolean): { reply: Reply } | { error: WireError }
}

/** One provider wire, both ways. Pure: no clock, no network, no state between calls. */
export interface Wire {
  /** `openai.chat`, `anthropic.messages` … */
  readonly name: string
  /** The environment variable that holds the key, for messages: `OPENAI_API_KEY`. */
  readonly keyVariable: string
  /** Exact path, any host. */
  matchesPath(url: URL): boolean
  /**
   * The members the wire requires; a request with the path but not the shape is ordinary HTTP. `url` tells of a member
   * that stands in the path instead.
   */
  matchesBody(body: JsonValue, url?: URL): boolean
  /** True where the request carries a key in a header or query; an empty or missing one is not. */
  hasKey(request: WireRequest): boolean
  isStreaming(request: WireRequest): boolean
  /** True where the stream asked for is itself JSON, so that no content type tells it from a whole reply. */
  streamsJson?(request: WireRequest): boolean
  /** @throws UnsupportedError naming the field */
  readRequest(request: WireRequest): ModelInput
  /**
   * Where a request leans on history that the provider holds: the answer that makes the SDK send the same call again
   * with all of it. To be given instead of asking the provider, while recording and in replay alike.
   */
  requestHistory?(request: WireRequest): WireAnswer | undefined
  /**
   * Where a request leans on history that the provider holds and that came about in this run: the same request with all
   * of it. Any other comes back as it is.
   * @throws UnsupportedError for history from outside the run
   */
  resolveHistory?(request: WireRequest, held: HeldHistory): WireRequest
  /** @throws UnsupportedError naming the field */
  readReply(body: JsonValue): Reply
  /**
   * The failure that a reply with status 200 may stand for, where the wire has such replies; undefined for all others,
   * which are `readReply`'s.
   */
  readFailure?(body: JsonValue): WireError | undefined
  openStream(): StreamReader
  /** Any answer with a status of 400 or more, whatever its body. */
  readError(status: number, headers: Readonly<Record<string, string>>, body: string): WireError
  /** JSON or a stream, as the request asks. */
  writeReply(turn: Turn, context: WriteContext): WireAnswer
  /** In the provider's error shape; inside a stream if `error.status` is 200. */
  writeError(error: WireError, context: WriteContext): WireAnswer
}
