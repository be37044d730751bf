import type { Wire } from '../wire.ts'
import { readError, readFailure, writeError } from './error.ts'
import { readReply } from './read-reply.ts'
import { readRequest } from './read-request.ts'
import { openStream } from './read-stream.ts'
import { hasKey, isStreaming, matchesBody, matchesPath, streamsJson } from './route.ts'
import { writeReply } from './write-reply.ts'

/** Gemini `generateContent` and `streamGenerateContent`, of the Gemini API and of Vertex AI. */
export const geminiGenerateContent: Wire = {
  name: 'gemini.generate-content',
  keyVariable: 'GEMINI_API_KEY',
  matchesPath,
  matchesBody,
  hasKey,
  isStreaming,
  streamsJson,
  readRequest,
  readReply,
  readFailure,
  openStream,
  readError,
  writeReply,
  writeError,
}
