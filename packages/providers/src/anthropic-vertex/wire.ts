import { anthropicMessages } from '../anthropic-messages/wire.ts'
import type { Wire, WriteContext } from '../wire.ts'
import { hasKey, isStreaming, matchesBody, matchesPath, toAnthropic } from './route.ts'

const inAnthropic = (context: WriteContext): WriteContext => ({ ...context, request: toAnthropic(context.request) })

/** Anthropic Messages on Google's Vertex AI: other paths, the same bodies. */
export const anthropicVertex: Wire = {
  ...anthropicMessages,
  name: 'anthropic.vertex',
  keyVariable: 'GOOGLE_APPLICATION_CREDENTIALS',
  matchesPath,
  matchesBody,
  hasKey,
  isStreaming,
  readRequest: (request) => anthropicMessages.readRequest(toAnthropic(request)),
  requestHistory: (request) => anthropicMessages.requestHistory?.(toAnthropic(request)),
  writeReply: (turn, context) => anthropicMessages.writeReply(turn, inAnthropic(context)),
  writeError: (error, context) => anthropicMessages.writeError(error, inAnthropic(context)),
}
