import type { JsonObject, JsonValue } from '@retake/trace'
import { isNothing, toObject, toObjects, toText } from '../json-members.ts'
import { unsupported } from '../unsupported.ts'

export interface ContentChunk {
  type: 'text' | 'reasoning'
  text: string
}

/** Content that is a list instead of a text. @throws UnsupportedError for a chunk that is neither text nor thinking */
export const readContentChunks = (content: JsonValue[], path: string): ContentChunk[] =>
  content.map((item, index) => {
    const chunk = toObject(item)
    if (chunk.type === 'text') return { type: 'text', text: toText(chunk.text) }
    if (chunk.type === 'thinking') {
      const text =
        typeof chunk.thinking === 'string'
          ? chunk.thinking
          : toObjects(chunk.thinking)
              .map((part) => toText(part.text))
              .join('')
      return { type: 'reasoning', text }
    }
    const isReference = /reference|citation/.test(toText(chunk.type))
    throw unsupported(
      isReference ? 'citations, annotations, search results, grounding' : 'audio or image output',
      `${path}[${index}].type ${toText(chunk.type)}`,
    )
  })

/** @throws UnsupportedError for log probabilities that are there; empty lists of them are nothing */
export const refuseLogprobs = (choice: JsonObject, path: string): void => {
  if (!isNothing(choice.logprobs) && !Object.values(toObject(choice.logprobs)).every(isNothing)) {
    throw unsupported('logprobs in the reply', `${path}.logprobs`)
  }
}
