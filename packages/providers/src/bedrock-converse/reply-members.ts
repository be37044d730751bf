import type { JsonObject } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toObject, toText } from '../json-members.ts'
import { othersBlob, othersOf, type ReplyMembers, refuseMembers } from '../reply-members.ts'
import { type RefusalName, unsupported } from '../unsupported.ts'

const hosted: RefusalName = 'hosted/server tools and their blocks'
const sources: RefusalName = 'citations, annotations, search results, grounding'
const output: RefusalName = 'audio or image output'

/** Of a reply, or of the events that end a stream: `p` is padding. */
const replyMembers: ReplyMembers = { read: ['output', 'stopReason', 'usage'], ignored: ['p'], refused: {} }

export const replyPlace = 'response'

/** What a reply says beside its message: how long it took, what guardrails found, fields of the model's own. */
export const readReplyOthers = (reply: JsonObject): Opaque[] => {
  const { additionalModelResponseFields: fields = null } = reply
  // Asked for by name: a null is an answer.
  const asked = fields === null ? {} : { additionalModelResponseFields: fields }
  return othersBlob(replyPlace, { ...othersOf(reply, replyMembers), ...asked })
}

const callMembers: ReplyMembers = { read: ['toolUseId', 'name', 'input'], ignored: [], refused: {} }

export const callPlace = 'toolUse'

export const readCallOthers = (call: JsonObject, part: number): Opaque[] =>
  othersBlob(callPlace, othersOf(call, callMembers), part)

/** Of a block of a reply, of its start or of a delta: each has one member. */
const blockMembers: ReplyMembers = {
  read: ['text', 'toolUse', 'reasoningContent'],
  ignored: [],
  refused: {
    toolResult: hosted,
    citationsContent: sources,
    citation: sources,
    image: output,
    video: output,
    audio: output,
  },
}

/** @throws UnsupportedError for every block of a reply, its start or a delta, but text, thinking and a client's call */
export const refuseReplyBlock = (block: JsonObject, path: string): void => {
  refuseServerBlock(block, path)
  refuseMembers(block, blockMembers, path)
  const [name = '', ...more] = Object.keys(block)
  if (!blockMembers.read.includes(name) || more.length > 0) {
    throw unsupported('unreadable reply', `${path}.${more[0] ?? name}`)
  }
}

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
