import type { JsonObject, JsonValue } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toObject, toText } from '../json-members.ts'
import { othersBlob, othersOf, writeOthers } from '../reply-members.ts'
import type { ReplyExtras } from '../wire.ts'
import { callMembers, partMembers } from './reply-members.ts'

const signatureKind = 'thoughtSignature'
/** An empty text that only carries a signature; it stands before the part of its index. */
const emptyTextKind = 'emptyTextSignature'

/** Members of a candidate that say more of why it stopped, or how sure the model was. */
const candidateMembers = ['finishMessage', 'safetyRatings', 'avgLogprobs']

const kindOf = (name: string): string => `candidate.${name}`
const feedbackKind = 'promptFeedback'

/** What a part holds beside its text or its call: above all its signature, which a live continuation must send back. */
export const readPartBlobs = (part: JsonObject, index: number): Opaque[] => {
  const value = toText(part.thoughtSignature)
  return [
    ...(value === '' ? [] : [{ part: index, kind: signatureKind, value }]),
    ...othersBlob('part', othersOf(part, partMembers), index),
    ...othersBlob('call', othersOf(toObject(part.functionCall), callMembers), index),
  ]
}

export const emptyTextBlob = (index: number, value: string): Opaque => ({ part: index, kind: emptyTextKind, value })

/** `explained` where the message is told as a part. */
export const readCandidateBlobs = (candidate: JsonObject, explained: boolean): Opaque[] =>
  candidateMembers.flatMap((name) => {
    const value = candidate[name]
    if (value === undefined || isNothing(value) || (explained && name === 'finishMessage')) return []
    return [{ part: 0, kind: kindOf(name), value }]
  })

/** What the feedback holds beside its reason and message. */
export const readFeedbackBlob = ({ blockReason: _, blockReasonMessage: __, ...rest }: JsonObject): Opaque[] =>
  isNothing(rest) ? [] : [{ part: 0, kind: feedbackKind, value: rest }]

const find = (extras: ReplyExtras | undefined, kind: string, part = 0): JsonValue | undefined =>
  extras?.opaque?.find((blob) => blob.part === part && blob.kind === kind)?.value

export const writePartBlobs = (extras: ReplyExtras | undefined, index: number): JsonObject => {
  const thoughtSignature = find(extras, signatureKind, index)
  return { ...(thoughtSignature !== undefined && { thoughtSignature }), ...writeOthers(extras, 'part', index) }
}

export const writeEmptyText = (extras: ReplyExtras | undefined, index: number): JsonObject[] => {
  const thoughtSignature = find(extras, emptyTextKind, index)
  return thoughtSignature === undefined ? [] : [{ text: '', thoughtSignature }]
}

export const writeCandidateBlobs = (extras: ReplyExtras | undefined): JsonObject =>
  Object.fromEntries(
    candidateMembers.flatMap((name) => {
      const value = find(extras, kindOf(name))
      return value === undefined ? [] : [[name, value]]
    }),
  )

export const writeFeedbackBlob = (extras: ReplyExtras | undefined): JsonObject => {
  const value = find(extras, feedbackKind)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
