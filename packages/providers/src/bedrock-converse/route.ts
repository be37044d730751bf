import { isJsonObject, type JsonValue } from '@retake/trace'
import { bedrockModelOf } from '../bedrock-model.ts'
import type { WireRequest } from '../wire.ts'

export const matchesPath = (url: URL): boolean => bedrockModelOf(url, ['converse', 'converse-stream']) !== undefined

/** A prompt of the provider's own stands in the path, and may need no messages. */
export const matchesBody = (body: JsonValue): boolean =>
  isJsonObject(body) && (Array.isArray(body.messages) || isJsonObject(body.promptVariables))

export const isStreaming = ({ url }: WireRequest): boolean => new URL(url).pathname.endsWith('/converse-stream')

export const modelOf = (url: string): string | undefined =>
  bedrockModelOf(new URL(url), ['converse', 'converse-stream'])
