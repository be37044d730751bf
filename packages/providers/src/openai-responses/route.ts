import { isJsonObject, type JsonValue } from '@retake/trace'
import { deploymentOf } from '../azure-deployment.ts'
import type { WireRequest } from '../wire.ts'

export const matchesPath = (url: URL): boolean => url.pathname.endsWith('/responses')

/** A prompt template of the provider may hold the model and the input. */
export const matchesBody = (body: JsonValue, url?: URL): boolean => {
  if (!isJsonObject(body)) return false
  const { model, input, prompt } = body
  const isPrompt = isJsonObject(prompt)
  const hasModel =
    typeof model === 'string' ||
    (model === undefined && (isPrompt || (url !== undefined && deploymentOf(url) !== undefined)))
  return hasModel && (typeof input === 'string' || Array.isArray(input) || (input === undefined && isPrompt))
}

export const isStreaming = ({ body }: WireRequest): boolean => body.stream === true
