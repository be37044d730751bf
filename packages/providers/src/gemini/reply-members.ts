import type { ReplyMembers } from '../reply-members.ts'
import type { RefusalName } from '../unsupported.ts'

const server: RefusalName = 'hosted/server tools and their blocks'
const output: RefusalName = 'audio or image output'
const sources: RefusalName = 'citations, annotations, search results, grounding'

/** A response, or one of a stream (https://ai.google.dev/api/generate-content#v1beta.GenerateContentResponse). */
export const replyMembers: ReplyMembers = {
  read: ['candidates', 'promptFeedback', 'usageMetadata', 'modelVersion', 'responseId', 'error'],
  ignored: ['createTime', 'sdkHttpResponse'],
  refused: {},
}

/** A candidate, Vertex AI's included. */
export const candidateMembers: ReplyMembers = {
  read: ['content', 'finishReason', 'finishMessage', 'safetyRatings', 'avgLogprobs', 'index'],
  ignored: [],
  refused: {
    citationMetadata: sources,
    groundingMetadata: sources,
    groundingAttributions: sources,
    urlContextMetadata: sources,
    urlRetrievalMetadata: sources,
    logprobsResult: 'logprobs in the reply',
    continuationToken: 'continuation tokens',
  },
}

/** A call of a function. */
export const callMembers: ReplyMembers = {
  read: ['id', 'name', 'args', 'partialArgs', 'willContinue'],
  ignored: [],
  refused: {},
}

/** A part of a reply. */
export const partMembers: ReplyMembers = {
  read: ['text', 'thought', 'thoughtSignature', 'functionCall'],
  ignored: [],
  refused: {
    executableCode: server,
    codeExecutionResult: server,
    toolCall: server,
    toolResponse: server,
    inlineData: output,
    fileData: output,
    audioTranscription: output,
    functionResponse: 'unreadable reply',
  },
}
