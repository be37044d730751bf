import { isJsonObject, type JsonValue } from '@retake/trace'
import { isNothing } from '../json-members.ts'
import { hasBearer } from '../keys.ts'
import type { WireRequest } from '../wire.ts'

export const matchesPath = (url: URL): boolean => url.pathname.endsWith('/api/chat')

/**
 * The AI SDK's own route has the same path. Its messages have ids and parts, and around them stand an id and what
 * triggered the request.
 */
export const matchesBody = (body: JsonValue): boolean =>
  isJsonObject(body) &&
  typeof body.model === 'string' &&
  body.id === undefined &&
  body.trigger === undefined &&
  Array.isArray(body.messages) &&
  body.messages.every(isMessage)

const isMessage = (message: JsonValue): boolean => {
  if (!isJsonObject(message) || typeof message.role !== 'string' || 'parts' in message) return false
  return typeof message.content === 'string' || (isNothing(message.content) && !isNothing(message.tool_calls))
}

/** Only Ollama's cloud wants a key. */
export const hasKey = ({ url, headers }: WireRequest): boolean =>
  !/(^|\.)ollama\.com$/.test(new URL(url).hostname) || hasBearer(headers)

/** The API streams unless it is told not to; its clients always say which. */
export const isStreaming = ({ body }: WireRequest): boolean => body.stream !== false
