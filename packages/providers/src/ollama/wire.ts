import type { Wire } from '../wire.ts'
import { readError, writeError } from './error.ts'
import { readReply } from './read-reply.ts'
import { readRequest } from './read-request.ts'
import { openStream } from './read-stream.ts'
import { hasKey, isStreaming, matchesBody, matchesPath } from './route.ts'
import { writeReply } from './write-reply.ts'

/** Ollama's own chat API, of a local server and of its cloud. */
export const ollamaChat: Wire = {
  name: 'ollama.chat',
  keyVariable: 'OLLAMA_API_KEY',
  matchesPath,
  matchesBody,
  hasKey,
  isStreaming,
  streamsJson: isStreaming,
  readRequest,
  readReply,
  openStream,
  readError,
  writeReply,
  writeError,
}
