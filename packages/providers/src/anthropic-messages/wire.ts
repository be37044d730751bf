import type { Wire } from '../wire.ts'
import { readError, readFailure, writeError } from './error.ts'
import { readReply } from './read-reply.ts'
import { readRequest } from './read-request.ts'
import { openStream } from './read-stream.ts'
import { requestHistory } from './request-history.ts'
import { hasKey, isStreaming, matchesBody, matchesPath } from './route.ts'
import { writeReply } from './write-reply.ts'

/** Anthropic Messages, on Anthropic's own host and under the base URLs of others. */
export const anthropicMessages: Wire = {
  name: 'anthropic.messages',
  keyVariable: 'ANTHROPIC_API_KEY',
  matchesPath,
  matchesBody,
  hasKey,
  isStreaming,
  readRequest,
  requestHistory,
  readReply,
  readFailure,
  openStream,
  readError,
  writeReply,
  writeError,
}
