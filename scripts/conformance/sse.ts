export interface SseEvent {
  event: string
  data: string
}

/** Events of a whole stream. Like the SDKs, and unlike browsers, it takes the end of the text for an empty line. */
export const parseSse = (text: string): SseEvent[] => {
  const events: SseEvent[] = []
  let event = ''
  let data: string[] = []
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  for (const line of [...lines, '']) {
    if (line === '') {
      if (data.length > 0) events.push({ event: event || 'message', data: data.join('\n') })
      event = ''
      data = []
      continue
    }
    const colon = line.indexOf(':')
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') event = value
    if (name === 'data') data.push(value)
  }
  return events
}
