import type { JsonObject, JsonValue, UnsupportedError } from '@retake/trace'
import { isNothing, toObject, toObjects, toText } from '../json-members.ts'
import { othersOf } from '../reply-members.ts'
import { unsupported } from '../unsupported.ts'
import { chunkMembers } from './reply-members.ts'

export interface ContentChunk {
  type: 'text' | 'reasoning'
  text: string
  /** What it holds beside its text: whether thinking is over, its signature. */
  others: JsonObject
}

/** Content that is a list instead of a text. @throws UnsupportedError for a chunk that is neither text nor thinking */
export const readContentChunks = (content: JsonValue[], path: string): ContentChunk[] =>
  content.map((item, index) => {
    const chunk = toObject(item)
    const others = othersOf(chunk, chunkMembers)
    if (chunk.type === 'text') return { type: 'text', text: toText(chunk.text), others }
    if (chunk.type === 'thinking') {
      return { type: 'reasoning', text: readThinking(chunk.thinking, `${path}[${index}].thinking`), others }
    }
    throw refusedChunk(chunk, `${path}[${index}]`)
  })

/** A text, or a list of texts that may have references among them. */
const readThinking = (thinking: JsonValue | undefined, path: string): string => {
  if (typeof thinking === 'string') return thinking
  const texts = toObjects(thinking).map((part, index) => {
    if (typeof part.text !== 'string') throw refusedChunk(part, `${path}[${index}]`)
    return part.text
  })
  return texts.join('')
}

const refusedChunk = ({ type }: JsonObject, path: string): UnsupportedError => {
  const isReference = /reference|citation/.test(toText(type))
  return unsupported(
    isReference ? 'citations, annotations, search results, grounding' : 'audio or image output',
    `${path}.type ${toText(type)}`,
  )
}

/** @throws UnsupportedError for log probabilities that are there; empty lists of them are nothing */
export const refuseLogprobs = (choice: JsonObject): void => {
  if (!isNothing(choice.logprobs) && !Object.values(toObject(choice.logprobs)).every(isNothing)) {
    throw unsupported('logprobs in the reply', 'choices[0].logprobs')
  }
}
