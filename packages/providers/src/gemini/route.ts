import { isJsonObject, type JsonValue } from '@retake/trace'
import { decodeSegment } from '../decode-segment.ts'
import { hasBearer, hasValue } from '../keys.ts'
import type { WireRequest } from '../wire.ts'

/** `…/models/NAME:VERB`, with any prefix: a version, or project, location and publisher (Vertex AI). */
const path = /\/(models|tunedModels|endpoints)\/([^/:]+):(generateContent|streamGenerateContent)$/

export const matchesPath = (url: URL): boolean => path.test(url.pathname)

export const matchesBody = (body: JsonValue): boolean => isJsonObject(body) && isFilled(body.contents)

const isFilled = (contents: JsonValue | undefined): boolean =>
  typeof contents === 'string' || (typeof contents === 'object' && contents !== null)

/** The model that the path names; a tuned one or an endpoint with the word that tells it. */
export const modelOf = (url: string): string | undefined => {
  const [, collection, name = ''] = path.exec(new URL(url).pathname) ?? []
  if (collection === undefined) return undefined
  return collection === 'models' ? decodeSegment(name) : `${collection}/${decodeSegment(name)}`
}

export const hasKey = ({ url, headers }: WireRequest): boolean =>
  hasValue(headers['x-goog-api-key']) || hasValue(new URL(url).searchParams.get('key')) || hasBearer(headers)

export const isStreaming = ({ url }: WireRequest): boolean => new URL(url).pathname.endsWith(':streamGenerateContent')

/** System parameters have a `$` or none (https://cloud.google.com/apis/docs/system-parameters). */
const altOf = (url: string): string => {
  const { searchParams } = new URL(url)
  return searchParams.get('alt') ?? searchParams.get('$alt') ?? 'json'
}

/** Without `alt=sse` a stream is one JSON array that grows. */
export const streamsJson = (request: WireRequest): boolean => isStreaming(request) && altOf(request.url) !== 'sse'

/** `$alt=json;enum-encoding=int`: enums are their numbers, as clients generated from the protocol buffers ask for. */
export const wantsNumbers = (url: string): boolean => altOf(url).includes('enum-encoding=int')
