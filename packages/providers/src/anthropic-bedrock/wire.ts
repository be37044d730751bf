import { anthropicMessages } from '../anthropic-messages/wire.ts'
import { readError } from '../aws-error.ts'
import { hasAwsKey } from '../keys.ts'
import type { Wire } from '../wire.ts'
import { writeError } from './error.ts'
import { openStream } from './read-stream.ts'
import { isStreaming, matchesBody, matchesPath, toAnthropic } from './route.ts'
import { toFrames } from './write-stream.ts'

/** Anthropic Messages on Amazon Bedrock: the bodies of Anthropic, the streams and errors of AWS. */
export const anthropicBedrock: Wire = {
  ...anthropicMessages,
  name: 'anthropic.bedrock',
  keyVariable: 'AWS_ACCESS_KEY_ID',
  matchesPath,
  matchesBody,
  hasKey: ({ headers }) => hasAwsKey(headers),
  isStreaming,
  readRequest: (request) => anthropicMessages.readRequest(toAnthropic(request)),
  requestHistory: (request) => anthropicMessages.requestHistory?.(toAnthropic(request)),
  openStream,
  readError,
  writeReply: (turn, context) => {
    const { request, extras } = context
    const answer = anthropicMessages.writeReply(turn, { ...context, request: toAnthropic(request) })
    return isStreaming(request) ? toFrames(answer, extras) : answer
  },
  writeError,
}
