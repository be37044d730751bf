/** One answer of the fake provider as it goes over the wire. Give `body`, or `chunks` to write it piece by piece. */
export interface FakeReply {
  /** [200] */
  status?: number
  /** `content-type` is `text/event-stream` for chunks and `application/json` otherwise, unless it is given. */
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  chunks?: readonly (string | Uint8Array)[]
  /** Milliseconds before the status line. [0] */
  waitMs?: number
  /** Milliseconds between two chunks. [0] */
  pauseMs?: number
  /** Throttles: every chunk, or slice of the body, takes the time this rate allows. */
  bytesPerSecond?: number
  /** Destroys the connection after this many chunks; 0 is before the status line. */
  cutAfter?: number
  /** Goes silent after this many chunks and keeps the connection; 0 is before the status line. */
  silentAfter?: number
}

/** What one request was and what became of it. Times are `performance.now()` of the server's process. */
export interface ReceivedRequest {
  method: string
  /** Path and query as they were sent. */
  url: string
  headers: Readonly<Record<string, string>>
  text: string
  /** The parsed JSON; undefined if the body was none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  body: any
  receivedAt: number
  /** When each chunk was handed to the socket. */
  writes: number[]
  /** The client closed the connection before the reply was complete. */
  hungUp: boolean
}

/** A reply, or a function of the request that makes one. */
export type Scripted = FakeReply | ((request: ReceivedRequest) => FakeReply | Promise<FakeReply>)

/** `count` pieces of the text, all but the last of the same length; never an empty one. */
export const splitText = (text: string, count: number): string[] => {
  const size = Math.max(1, Math.ceil(text.length / count))
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
}
