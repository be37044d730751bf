import { hasBearer } from '../keys.ts'
import { readError } from '../openai-error.ts'
import type { Wire } from '../wire.ts'
import { writeError } from './error.ts'
import { readReply } from './read-reply.ts'
import { readRequest } from './read-request.ts'
import { openStream } from './read-stream.ts'
import { isStreaming, matchesBody, matchesPath } from './route.ts'
import { writeReply } from './write-reply.ts'

/** Vercel's AI Gateway, which speaks the AI SDK's own language model specification. */
export const aiGateway: Wire = {
  name: 'ai-gateway.language-model',
  keyVariable: 'AI_GATEWAY_API_KEY',
  matchesPath,
  matchesBody,
  hasKey: ({ headers }) => hasBearer(headers),
  isStreaming,
  readRequest,
  readReply,
  openStream,
  readError,
  writeReply,
  writeError,
}
