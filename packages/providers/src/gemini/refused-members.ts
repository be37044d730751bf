import type { JsonObject } from '@retake/trace'
import { isNothing, toObject, toText } from '../json-members.ts'
import { type RefusalName, unsupported } from '../unsupported.ts'

const server: RefusalName = 'hosted/server tools and their blocks'
const output: RefusalName = 'audio or image output'
const sources: RefusalName = 'citations, annotations, search results, grounding'

/** Parts that Google's own tools make, in histories and replies alike. */
const serverParts = ['executableCode', 'codeExecutionResult', 'toolCall', 'toolResponse']

/** @throws UnsupportedError for a part of a tool that Google runs */
export const refuseServerPart = (part: JsonObject, path: string): void => {
  for (const name of serverParts) {
    if (part[name] !== undefined && part[name] !== null) throw unsupported(server, `${path}.${name}`)
  }
}

/** @throws UnsupportedError for a part of a reply that is neither text nor a call */
export const refuseReplyPart = (part: JsonObject, path: string): void => {
  refuseServerPart(part, path)
  for (const name of ['inlineData', 'fileData']) {
    if (!isNothing(part[name])) throw unsupported(output, `${path}.${name}`)
  }
  if (!isNothing(part.functionResponse)) throw unsupported('unreadable reply', `${path}.functionResponse`)
}

const refusedOfCandidate: Readonly<Record<string, RefusalName>> = {
  citationMetadata: sources,
  groundingMetadata: sources,
  groundingAttributions: sources,
  urlContextMetadata: sources,
  urlRetrievalMetadata: sources,
  logprobsResult: 'logprobs in the reply',
  continuationToken: 'continuation tokens',
}

/** @throws UnsupportedError for what a candidate holds beside its content */
export const refuseInCandidate = (candidate: JsonObject): void => {
  for (const [name, refusal] of Object.entries(refusedOfCandidate)) {
    if (!isNothing(candidate[name])) throw unsupported(refusal, `candidates[0].${name}`)
  }
  if (toText(candidate.finishReason) === 'CONTINUATION') {
    throw unsupported('continuation tokens', 'candidates[0].finishReason')
  }
}

/** @throws UnsupportedError for a call whose arguments come in pieces */
export const refusePartialCall = (part: JsonObject, path: string): void => {
  const { partialArgs, willContinue } = toObject(part.functionCall)
  if (!isNothing(partialArgs) || willContinue === true) {
    throw unsupported('continuation tokens', `${path}.functionCall.partialArgs`)
  }
}
