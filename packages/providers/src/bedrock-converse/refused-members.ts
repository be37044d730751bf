import type { JsonObject } from '@retake/trace'
import { isNothing, toObject, toText } from '../json-members.ts'
import { type RefusalName, unsupported } from '../unsupported.ts'

const hosted: RefusalName = 'hosted/server tools and their blocks'

/** @throws UnsupportedError for a call that the provider made itself, and for the result of one */
export const refuseServerBlock = (block: JsonObject, path: string): void => {
  for (const [name, own] of [
    ['toolUse', 'tool_use'],
    ['toolResult', 'tool_result'],
  ] as const) {
    const type = toText(toObject(block[name]).type)
    if (type !== '' && type !== own) throw unsupported(hosted, `${path}.${name}.type ${type}`)
  }
}

const refused: Readonly<Record<string, RefusalName>> = {
  toolResult: hosted,
  citationsContent: 'citations, annotations, search results, grounding',
  citation: 'citations, annotations, search results, grounding',
  image: 'audio or image output',
  video: 'audio or image output',
  audio: 'audio or image output',
}

/** @throws UnsupportedError for every block of a reply, its start or a delta, but text, thinking and a client's call */
export const refuseReplyBlock = (block: JsonObject, path: string): void => {
  refuseServerBlock(block, path)
  for (const [name, refusal] of Object.entries(refused)) {
    if (!isNothing(block[name])) throw unsupported(refusal, `${path}.${name}`)
  }
  const [name] = Object.keys(block)
  if (name === undefined || !['text', 'toolUse', 'reasoningContent'].includes(name)) {
    throw unsupported('unreadable reply', `${path}.${name ?? ''}`)
  }
}
