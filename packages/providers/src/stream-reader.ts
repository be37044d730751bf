import { isJsonObject, type JsonObject, type ReplyPart, UnsupportedError } from '@retake/trace'
import { parseStorable } from './refuse-unstorable.ts'
import { createSseReader, type SseEvent, type SseReader } from './sse.ts'
import { unsupported } from './unsupported.ts'
import type { Reply, StreamReader, WireError } from './wire.ts'

type OnEvent = (event: SseEvent, complete: boolean) => void

/** Like an `SseReader`, of bytes. */
export type FrameReader = Omit<SseReader, 'push'> & { push(bytes: Uint8Array): void }

/** What one wire knows of its stream. */
export interface StreamWire {
  /** Data that is no JSON and ends the stream. */
  readonly endWord?: string
  /** For a stream of text that need not be server-sent events. */
  createEventReader?(onEvent: OnEvent): SseReader
  /** For a stream that is no text. */
  createFrameReader?(onEvent: OnEvent): FrameReader
  /**
   * Takes one event; tells when it is the last, or the error it stands for.
   * @throws UnsupportedError for what a replay could not give back
   */
  onEvent(payload: JsonObject): 'terminated' | WireError | undefined
  /** True where a body that simply ends is complete. */
  isFinished(): boolean
  /** True once the reply has told why it stopped. Only asked where that is not enough for `isFinished`. */
  isStopped?(): boolean
  toReply(): Reply
  /** The parts that have arrived, how many of them are whole, the lengths of their deltas, and the model that was named. */
  arrived(): { parts: ReplyPart[]; complete: number; chunks: number[]; servedModel?: string }
}

/** The part of reading a stream that all wires share: events, terminator, errors, cuts, refusals. */
export const createReader = (wire: StreamWire): StreamReader => {
  let terminated = false
  let unreadable = false
  let begun = false
  let error: WireError | undefined
  let refused: UnsupportedError | undefined

  const onEvent: OnEvent = ({ data }, isComplete) => {
    if (terminated || data.trim() === '') return
    if (wire.endWord !== undefined && data.trim() === wire.endWord) {
      terminated = true
      return
    }
    const payload = parseStorable(data)
    if (!isJsonObject(payload)) {
      // The last event of a cut stream may stop anywhere.
      unreadable ||= isComplete
      return
    }
    try {
      const end = wire.onEvent(payload)
      if (typeof end === 'object') error = end
      else begun = true
      terminated = end !== undefined
    } catch (thrown) {
      if (!(thrown instanceof UnsupportedError)) throw thrown
      refused ??= thrown
    }
  }
  const events = wire.createFrameReader?.(onEvent) ?? decoded((wire.createEventReader ?? createSseReader)(onEvent))

  const withArrived = (failed: WireError): { error: WireError } => {
    if (!begun) return { error: failed }
    const { parts, complete, chunks, servedModel = '' } = wire.arrived()
    const arrived = {
      parts,
      ...(parts.length > 0 && { afterParts: complete }),
      ...(chunks.length > 0 && { chunks }),
      ...(servedModel !== '' && { servedModel }),
    }
    return { error: { ...failed, ...arrived } }
  }

  return {
    push: (bytes) => events.push(bytes),
    get terminated() {
      return terminated
    },
    finish(hungUp = false) {
      events.flush()
      if (events.seen === 'nothing') throw unsupported('empty captured body', 'the stream')
      if (unreadable || events.seen === 'other text') throw unsupported('unreadable reply', 'the stream')
      if (refused) throw refused
      if (error) return withArrived(error)
      if (terminated || wire.isFinished() || (hungUp && wire.isStopped?.())) return { reply: wire.toReply() }
      return withArrived({ status: 200, kind: 'cut', message: 'the stream ended before the reply was complete' })
    },
  }
}

/** UTF-8 text, whose characters may be cut anywhere. */
const decoded = (reader: SseReader): FrameReader => {
  const utf8 = new TextDecoder()
  return {
    push: (bytes) => reader.push(utf8.decode(bytes, { stream: true })),
    flush() {
      reader.push(utf8.decode())
      reader.flush()
    },
    get seen() {
      return reader.seen
    },
  }
}
