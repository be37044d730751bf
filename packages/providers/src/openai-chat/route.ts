import { isJsonObject, type JsonValue } from '@retake/trace'
import { deploymentOf } from '../azure-deployment.ts'
import type { WireRequest } from '../wire.ts'

export const matchesPath = (url: URL): boolean => url.pathname.endsWith('/chat/completions')

export const matchesBody = (body: JsonValue, url?: URL): boolean =>
  isJsonObject(body) &&
  Array.isArray(body.messages) &&
  (typeof body.model === 'string' || (url !== undefined && body.model === undefined && deploymentOf(url) !== undefined))

export const isStreaming = ({ body }: WireRequest): boolean => body.stream === true
