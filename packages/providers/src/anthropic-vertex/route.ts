import { isJsonObject, type JsonValue } from '@retake/trace'
import { decodeSegment } from '../decode-segment.ts'
import { hasBearer } from '../keys.ts'
import { toMessagesRequest } from '../messages-in-cloud.ts'
import type { WireRequest } from '../wire.ts'

/** `…/publishers/anthropic/models/NAME:VERB`. Tokens are counted under a name of their own. */
const path = /\/publishers\/anthropic\/models\/(?!count-tokens:)([^/:]+):(rawPredict|streamRawPredict)$/

export const matchesPath = (url: URL): boolean => path.test(url.pathname)

export const matchesBody = (body: JsonValue): boolean => isJsonObject(body) && Array.isArray(body.messages)

/** The verb promises a stream, the body asks for it. */
export const isStreaming = ({ body }: WireRequest): boolean => body.stream === true

export const hasKey = ({ headers }: WireRequest): boolean => hasBearer(headers)

export const toAnthropic = (request: WireRequest): WireRequest => {
  const [, model = ''] = path.exec(new URL(request.url).pathname) ?? []
  return toMessagesRequest(request, decodeSegment(model), isStreaming(request))
}
