import { createParser } from 'eventsource-parser'

export interface SseEvent {
  event?: string | undefined
  data: string
}

export interface SseReader {
  push(text: string): void
  /** Gives out an event whose closing blank line never came. */
  flush(): void
  /** How much of an event stream was seen. Text that has no line of one is something else, such as a page of HTML. */
  readonly seen: 'nothing' | 'other text' | 'event stream'
}

const eventStreamLine = /(^|[\r\n])(data|event|id|retry)?:/

/** Reads server-sent events from text in any cut (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const createSseReader = (onEvent: (event: SseEvent, complete: boolean) => void): SseReader => {
  let flushing = false
  let start = ''
  let isStream = false
  const parser = createParser({
    onEvent({ event, data }) {
      isStream = true
      onEvent({ event, data }, !flushing)
    },
  })
  return {
    push(text) {
      if (!isStream && start.length < 1024) start += text
      parser.feed(text)
    },
    flush() {
      flushing = true
      parser.feed('\n\n')
    },
    get seen() {
      if (isStream || eventStreamLine.test(start)) return 'event stream'
      return start.trim() === '' ? 'nothing' : 'other text'
    },
  }
}

/** One event as it stands on the wire. */
export const formatSse = (data: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`

export const sseHeaders = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' } as const

export const jsonHeaders = { 'content-type': 'application/json' } as const
