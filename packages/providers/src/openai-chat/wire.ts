import { hasOpenaiKey } from '../keys.ts'
import { readError } from '../openai-error.ts'
import type { Wire } from '../wire.ts'
import { readFailure, writeError } from './error.ts'
import { readReply } from './read-reply.ts'
import { readRequest } from './read-request.ts'
import { openStream } from './read-stream.ts'
import { isStreaming, matchesBody, matchesPath } from './route.ts'
import { writeReply } from './write-reply.ts'

/** OpenAI Chat Completions: OpenAI, Azure, and every vendor that speaks it under its own host. */
export const openaiChat: Wire = {
  name: 'openai.chat',
  keyVariable: 'OPENAI_API_KEY',
  matchesPath,
  matchesBody,
  hasKey: hasOpenaiKey,
  isStreaming,
  readRequest,
  readReply,
  readFailure,
  openStream,
  readError,
  writeReply,
  writeError,
}
