import { isJsonObject, type JsonValue } from '@retake/trace'
import { hasBearer, hasValue } from '../keys.ts'
import type { WireRequest } from '../wire.ts'

export const matchesPath = (url: URL): boolean => url.pathname.endsWith('/v1/messages')

export const matchesBody = (body: JsonValue): boolean =>
  isJsonObject(body) && typeof body.model === 'string' && Array.isArray(body.messages)

export const hasKey = ({ headers }: WireRequest): boolean => hasValue(headers['x-api-key']) || hasBearer(headers)

export const isStreaming = ({ body }: WireRequest): boolean => body.stream === true
