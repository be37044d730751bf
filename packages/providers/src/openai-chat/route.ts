import { isJsonObject, type JsonValue } from '@retake/trace'
import { hasBearer, hasValue } from '../keys.ts'
import type { WireRequest } from '../wire.ts'

export const matchesPath = (url: URL): boolean => url.pathname.endsWith('/chat/completions')

/** The model may stand in the path alone, as in Azure's `/openai/deployments/NAME/chat/completions`. */
export const deploymentOf = (url: URL): string | undefined => {
  const name = /\/deployments\/([^/]+)\/chat\/completions$/.exec(url.pathname)?.[1]
  if (name === undefined) return undefined
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

export const matchesBody = (body: JsonValue, url?: URL): boolean =>
  isJsonObject(body) &&
  Array.isArray(body.messages) &&
  (typeof body.model === 'string' || (url !== undefined && body.model === undefined && deploymentOf(url) !== undefined))

/** A bearer token, or the `api-key` header or query parameter that Azure takes. */
export const hasKey = ({ url, headers }: WireRequest): boolean =>
  hasBearer(headers) || hasValue(headers['api-key']) || hasValue(new URL(url).searchParams.get('api-key'))

export const isStreaming = ({ body }: WireRequest): boolean => body.stream === true
