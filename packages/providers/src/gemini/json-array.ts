import { createSseReader, type SseEvent, type SseReader } from '../sse.ts'

type OnEvent = (event: SseEvent, complete: boolean) => void

/**
 * Reads a stream of either kind: a JSON array begins with its bracket, server-sent events never do. `onWhole` is told of
 * the bracket that closes an array.
 */
export const createEventReader = (onEvent: OnEvent, onWhole: () => void): SseReader => {
  let start = ''
  let reader: SseReader | undefined
  return {
    push(text) {
      if (reader) {
        reader.push(text)
        return
      }
      start += text
      const begun = start.replace(/^\uFEFF/, '').trimStart()
      if (begun === '') return
      reader = begun.startsWith('[') ? createArrayReader(onEvent, onWhole) : createSseReader(onEvent)
      reader.push(start)
    },
    flush: () => reader?.flush(),
    get seen() {
      return reader?.seen ?? 'nothing'
    },
  }
}

/** Gives out the objects of one JSON array, each as soon as its last brace came. */
const createArrayReader = (onEvent: OnEvent, onWhole: () => void): SseReader => {
  let depth = 0
  let inText = false
  let escaped = false
  let item = ''
  let isItem = false

  const take = (character: string): void => {
    if (isItem) item += character
    if (inText) {
      if (escaped) escaped = false
      else if (character === '\\') escaped = true
      else if (character === '"') inText = false
      return
    }
    if (character === '"') inText = true
    else if (character === '{' || character === '[') open(character)
    else if (character === '}' || character === ']') close()
  }

  const open = (character: string): void => {
    depth++
    if (depth !== 2) return
    item = character
    isItem = true
  }

  const close = (): void => {
    depth--
    if (depth === 0) onWhole()
    if (depth !== 1) return
    isItem = false
    onEvent({ data: item }, true)
  }

  return {
    push(text) {
      for (const character of text) take(character)
    },
    // An item that broke off says nothing.
    flush: () => {},
    seen: 'event stream',
  }
}
