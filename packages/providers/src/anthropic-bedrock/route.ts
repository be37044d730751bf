import { isJsonObject, type JsonValue } from '@retake/trace'
import { bedrockModelOf } from '../bedrock-model.ts'
import { toMessagesRequest } from '../messages-in-cloud.ts'
import type { WireRequest } from '../wire.ts'

const verbs = ['invoke', 'invoke-with-response-stream']

export const matchesPath = (url: URL): boolean => bedrockModelOf(url, verbs) !== undefined

/** Every vendor's models are invoked on this path, each with bodies of its own; Anthropic's tell their version. */
export const matchesBody = (body: JsonValue): boolean =>
  isJsonObject(body) && typeof body.anthropic_version === 'string' && Array.isArray(body.messages)

export const isStreaming = ({ url }: WireRequest): boolean =>
  new URL(url).pathname.endsWith('/invoke-with-response-stream')

export const toAnthropic = (request: WireRequest): WireRequest =>
  toMessagesRequest(request, bedrockModelOf(new URL(request.url), verbs), isStreaming(request))
