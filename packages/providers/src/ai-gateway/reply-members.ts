import type { JsonObject } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { toText } from '../json-members.ts'
import { othersBlob, othersOf, type ReplyMembers, refuseMembers } from '../reply-members.ts'
import { type RefusalName, unsupported } from '../unsupported.ts'

const hosted: RefusalName = 'hosted/server tools and their blocks'

/** Of a reply; a stream tells them in its first and last parts. */
export const replyMembers: ReplyMembers = {
  read: ['content', 'finishReason', 'usage', 'response', 'type'],
  ignored: ['request'],
  refused: {},
}

export const replyPlace = 'response'

const partMembers: ReplyMembers = {
  read: ['type', 'text', 'toolCallId', 'toolName', 'input', 'id', 'delta', 'inputEncoding', 'title'],
  ignored: [],
  refused: { citations: 'citations, annotations, search results, grounding', providerExecuted: hosted },
}

export const partPlace = 'part'

export const othersOfPart = (part: JsonObject): JsonObject => othersOf(part, partMembers)

export const readPartOthers = (others: JsonObject, index: number): Opaque[] => othersBlob(partPlace, others, index)

const refusedTypes: Readonly<Record<string, RefusalName>> = {
  source: 'citations, annotations, search results, grounding',
  file: 'audio or image output',
  'reasoning-file': 'audio or image output',
  'tool-result': hosted,
  'tool-approval-request': hosted,
  custom: hosted,
}

/** @throws UnsupportedError for what a part of a reply, or of a stream, holds that a replay could not give back */
export const refusePart = (part: JsonObject, path: string): void => {
  const type = toText(part.type)
  const refusal = refusedTypes[type]
  if (refusal) throw unsupported(refusal, `${path}.type ${type}`)
  refuseMembers(part, partMembers, path)
}
