import type { JsonObject } from '@retake/trace'
import { isNothing, toObject, toText } from '../json-members.ts'
import { refuseMembers } from '../reply-members.ts'
import { unsupported } from '../unsupported.ts'
import { candidateMembers, partMembers } from './reply-members.ts'

/** Parts that Google's own tools make, in histories and replies alike. */
const serverParts = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse']

/** @throws UnsupportedError for a part of a tool that Google runs */
export const refuseServerPart = (part: JsonObject, path: string): void => {
  for (const name of serverParts) {
    if (part[name] !== undefined && part[name] !== null)
      throw unsupported('hosted/server tools and their blocks', `${path}.${name}`)
  }
}

/** @throws UnsupportedError for a part of a reply that is neither text nor a call */
export const refuseReplyPart = (part: JsonObject, path: string): void => {
  refuseServerPart(part, path)
  refuseMembers(part, partMembers, path)
}

/** @throws UnsupportedError for what a candidate holds beside its content */
export const refuseInCandidate = (candidate: JsonObject): void => {
  refuseMembers(candidate, candidateMembers, 'candidates[0]')
  if (toText(candidate.finishReason) === 'CONTINUATION') {
    throw unsupported('continuation tokens', 'candidates[0].finishReason')
  }
}

/** @throws UnsupportedError for a call whose arguments come in pieces, which only streams have */
export const refusePartialCall = (part: JsonObject, path: string): void => {
  const { partialArgs, willContinue } = toObject(part.functionCall)
  if (!isNothing(partialArgs) || willContinue === true) {
    throw unsupported('unreadable reply', `${path}.functionCall.partialArgs`)
  }
}
