import { readError } from '../aws-error.ts'
import { hasAwsKey } from '../keys.ts'
import type { Wire } from '../wire.ts'
import { writeError } from './error.ts'
import { readReply } from './read-reply.ts'
import { readRequest } from './read-request.ts'
import { openStream } from './read-stream.ts'
import { isStreaming, matchesBody, matchesPath } from './route.ts'
import { writeReply } from './write-reply.ts'

/** Amazon Bedrock's `Converse` and `ConverseStream`. */
export const bedrockConverse: Wire = {
  name: 'bedrock.converse',
  keyVariable: 'AWS_ACCESS_KEY_ID',
  matchesPath,
  matchesBody,
  hasKey: ({ headers }) => hasAwsKey(headers),
  isStreaming,
  readRequest,
  readReply,
  openStream,
  readError,
  writeReply,
  writeError,
}
