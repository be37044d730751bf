import type { JsonObject, JsonValue } from '@retake/trace'
import { isNothing, toObject, toObjects, toText } from '../json-members.ts'
import { type RefusalName, unsupported } from '../unsupported.ts'

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

const sources: RefusalName = 'citations, annotations, search results, grounding'
const output: RefusalName = 'audio or image output'

const refusedOfReply: Readonly<Record<string, RefusalName>> = {
  citations: sources,
  search_results: sources,
  related_questions: sources,
  images: output,
  moderation: 'inline moderation',
}

const refusedOfMessage: Readonly<Record<string, RefusalName>> = {
  function_call: 'legacy functions',
  audio: output,
  images: output,
  annotations: sources,
  citations: sources,
  // Azure's "on your data".
  context: sources,
  executed_tools: 'hosted/server tools and their blocks',
}

/** @throws UnsupportedError for what a message (or delta) holds beside its text and calls */
export const refuseInMessage = (message: JsonObject, path: string): void => refuseIn(message, refusedOfMessage, path)

/** @throws UnsupportedError for what a reply (or chunk) holds beside its choices */
export const refuseInReply = (reply: JsonObject): void => refuseIn(reply, refusedOfReply, '')

const refuseIn = (object: JsonObject, refused: Readonly<Record<string, RefusalName>>, path: string): void => {
  for (const [name, refusal] of Object.entries(refused)) {
    if (!isNothing(object[name])) throw unsupported(refusal, path === '' ? name : `${path}.${name}`)
  }
}

/** @throws UnsupportedError for log probabilities that are there; empty lists of them are nothing */
export const refuseLogprobs = (choice: JsonObject, path: string): void => {
  const { content, refusal, tokens } = toObject(choice.logprobs)
  if (![content, refusal, tokens].every(isNothing)) throw unsupported('logprobs in the reply', `${path}.logprobs`)
}
