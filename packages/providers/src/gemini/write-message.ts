import type { JsonObject, ReplyPart } from '@retake/trace'
import { toText } from '../json-members.ts'
import { writeOthers } from '../reply-members.ts'
import type { ReplyExtras, Turn, WriteContext } from '../wire.ts'
import { writeCandidateBlobs, writeEmptyText, writeFeedbackBlob, writePartBlobs } from './blobs.ts'
import { isStreaming, modelOf, streamsJson, wantsNumbers } from './route.ts'
import { blockReasonOf, writeReason } from './stop.ts'

/** The members that a response and each of a stream share. */
export const writeTail = ({ replyId, request, extras }: WriteContext): JsonObject => ({
  modelVersion: extras?.servedModel ?? modelOf(request.url) ?? toText(request.body.model),
  responseId: replyId,
  ...writeOthers(extras, 'reply'),
})

/** One part; undefined for what is no part on this wire: the explanation of a refusal stands beside the content. */
export const writePart = (part: ReplyPart, index: number, extras: ReplyExtras | undefined): JsonObject | undefined => {
  const blobs = writePartBlobs(extras, index)
  if (part.type === 'text') return { text: part.text, ...blobs }
  if (part.type === 'reasoning') return { text: part.text, thought: true, ...blobs }
  if (part.type !== 'tool_use') return undefined
  const call = { id: part.toolCallId, name: part.toolName, args: part.toolInput, ...writeOthers(extras, 'call', index) }
  return { functionCall: call, ...blobs }
}

/** All parts, with the empty ones that only carry a signature. */
export const writeParts = (parts: readonly ReplyPart[], extras: ReplyExtras | undefined): JsonObject[] => [
  ...parts.flatMap((part, index) => [...writeEmptyText(extras, index), writePart(part, index, extras) ?? []].flat()),
  ...writeEmptyText(extras, parts.length),
]

const explanationOf = (parts: readonly ReplyPart[]): string =>
  parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join('\n\n')

/** What ends a candidate. */
export const writeEnding = (turn: Turn, { request, extras }: WriteContext): JsonObject => {
  const reason = writeReason(turn, wantsNumbers(request.url), isStreaming(request) && !streamsJson(request))
  const explanation = explanationOf(turn.parts)
  return {
    ...(reason !== undefined && { finishReason: reason }),
    ...writeCandidateBlobs(extras),
    ...writeOthers(extras, 'candidate'),
    ...(explanation !== '' && { finishMessage: explanation }),
  }
}

/** What the prompt came to; undefined where nothing is told of it. */
export const writeFeedback = (turn: Turn, extras: ReplyExtras | undefined): { promptFeedback?: JsonObject } => {
  const reason = blockReasonOf(turn)
  const explanation = explanationOf(turn.parts)
  const promptFeedback = {
    ...(reason && { blockReason: reason }),
    ...(reason && explanation !== '' && { blockReasonMessage: explanation }),
    ...writeFeedbackBlob(extras),
  }
  return Object.keys(promptFeedback).length > 0 ? { promptFeedback } : {}
}
