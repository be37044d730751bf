import { isJsonObject, type JsonObject, type JsonValue, type ReplyPart } from '@retake/trace'
import type { Opaque } from '../extras.ts'
import { isNothing, toObject, toText } from '../json-members.ts'
import { othersBlob, othersOf } from '../reply-members.ts'
import { unsupported } from '../unsupported.ts'
import type { Reply } from '../wire.ts'
import { readCandidateBlobs, readFeedbackBlob } from './blobs.ts'
import { refuseInCandidate } from './refused-members.ts'
import { candidateMembers, replyMembers } from './reply-members.ts'
import { readBlocked, readStop, reasonOf } from './stop.ts'
import { readUsage } from './usage.ts'

/** What is known of a reply beside its parts. Of a stream: the members of its responses, later ones over earlier ones. */
export interface Ending {
  /** The response without its candidates. */
  response: JsonObject
  /** The candidate without its content; undefined where none came. */
  candidate?: JsonObject
}

/**
 * Adds a response to what is known.
 * @throws UnsupportedError for several candidates, and for what a replay could not give back
 */
export const addResponse = (ending: Ending, { candidates, ...response }: JsonObject): Ending => {
  const given = Array.isArray(candidates) ? candidates : []
  const [first] = given
  if (given.length > 1 || (isJsonObject(first) && typeof first.index === 'number' && first.index > 0)) {
    throw unsupported('n > 1', 'candidates[1]')
  }
  const { content: _, ...candidate } = toObject(first)
  refuseInCandidate(candidate)
  const known = { ...ending, response: { ...ending.response, ...filled(response) } }
  return first === undefined ? known : { ...known, candidate: { ...ending.candidate, ...filled(candidate) } }
}

const filled = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => !isNothing(value)))

/** True for what the API answers with; also a response that names no candidate is one. */
export const isResponse = (body: JsonValue): body is JsonObject =>
  isJsonObject(body) &&
  (Array.isArray(body.candidates) ? body.candidates.every(isJsonObject) && body.candidates.length > 0 : isBlocked(body))

const isBlocked = (body: JsonObject): boolean =>
  (body.candidates === undefined || body.candidates === null) &&
  (isJsonObject(body.promptFeedback) || isJsonObject(body.usageMetadata))

/** True where a stream that simply ends is complete. */
export const isFinished = ({ response, candidate }: Ending): boolean =>
  !isNothing(candidate?.finishReason) || (!candidate && !isNothing(toObject(response.promptFeedback).blockReason))

/** The explanation of a refusal is a part of its own. */
export const finishReply = (said: readonly ReplyPart[], ending: Ending, blobs: Opaque[], chunks: number[]): Reply => {
  const { response, candidate } = ending
  const feedback = toObject(response.promptFeedback)
  const stop = candidate ? readStop(reasonOf(candidate.finishReason), said) : readBlocked(feedback)
  const explains = stop.stop === 'filter' || stop.stop === 'refusal'
  const message = toText(candidate ? candidate.finishMessage : feedback.blockReasonMessage)
  const parts: ReplyPart[] = explains && message !== '' ? [...said, { type: 'refusal', text: message }] : [...said]
  const usage = readUsage(response.usageMetadata)
  const servedModel = toText(response.modelVersion)
  const opaque = [
    ...blobs,
    ...readCandidateBlobs(candidate ?? {}, explains),
    ...readFeedbackBlob(feedback),
    ...usage.opaque,
    ...othersBlob('reply', othersOf(response, replyMembers)),
    ...othersBlob('candidate', othersOf(candidate ?? {}, candidateMembers)),
  ]
  return {
    turn: { parts, ...stop },
    extras: {
      ...(usage.tokens && { tokens: usage.tokens }),
      ...(servedModel !== '' && { servedModel }),
      ...(chunks.length > 0 && { chunks }),
      ...(opaque.length > 0 && { opaque }),
    },
  }
}
