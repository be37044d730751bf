import { isJsonObject, type JsonValue } from '@retake/trace'
import type { WireRequest } from '../wire.ts'

/** The version in the path is that of the bodies: later ones have others. */
export const matchesPath = (url: URL): boolean => url.pathname.endsWith('/v4/ai/language-model')

export const matchesBody = (body: JsonValue): boolean => isJsonObject(body) && Array.isArray(body.prompt)

export const isStreaming = ({ headers }: WireRequest): boolean => headers['ai-language-model-streaming'] === 'true'

export const modelOf = ({ headers }: WireRequest): string | undefined => headers['ai-language-model-id']
