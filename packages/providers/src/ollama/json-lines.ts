import type { SseEvent, SseReader } from '../sse.ts'

/** Reads a stream of JSON, one object a line, from text in any cut (https://github.com/ndjson/ndjson-spec). */
export const createLineReader = (onEvent: (event: SseEvent, complete: boolean) => void): SseReader => {
  let rest = ''
  let seen: SseReader['seen'] = 'nothing'

  const take = (line: string, complete: boolean): void => {
    const data = line.trim()
    if (data === '') return
    if (seen === 'nothing') seen = data.startsWith('{') ? 'event stream' : 'other text'
    onEvent({ data }, complete)
  }

  return {
    push(text) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line, true)
    },
    flush() {
      take(rest, false)
      rest = ''
    },
    get seen() {
      return seen
    },
  }
}

/** One object as it stands on the wire. */
export const formatLine = (value: object): string => `${JSON.stringify(value)}\n`

export const lineHeaders = { 'content-type': 'application/x-ndjson' } as const
