import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'
import type { Endpoint } from './endpoint.ts'
import { withModelOfPath, without } from './request-members.ts'
import { fromBase64Vector, toBase64Vector } from './vectors.ts'
import { withoutId } from './without-id.ts'

/**
 * https://platform.openai.com/docs/api-reference/embeddings and what vendors make of it. Vectors of floats are stored as
 * numbers, whether they came so or, as the SDK of OpenAI asks for, in base64.
 */
export const openaiEmbeddings: Endpoint = {
  name: 'openai embeddings',
  keyVariable: 'OPENAI_API_KEY',
  readInput: (request, url) =>
    withModelOfPath(without(request, ['user', ...(isOfFloats(request) ? ['encoding_format'] : [])]), url),
  readResult: (answer, request) =>
    mapVectors(withoutId(answer), (vector) =>
      isBase64(request) && typeof vector === 'string' ? fromBase64Vector(vector) : undefined,
    ),
  writeResult: (result, request) =>
    mapVectors(result, (vector) => (isBase64(request) && isVector(vector) ? toBase64Vector(vector) : undefined)),
}

const isBase64 = (request: JsonObject): boolean => request.encoding_format === 'base64' && isOfFloats(request)

/** Some vendors have vectors of whole numbers and of bits as well, and name them here or there. */
const isOfFloats = ({ output_dtype: type, encoding_format: format }: JsonObject): boolean =>
  [undefined, null, 'float'].includes(type as string) && [undefined, null, 'float', 'base64'].includes(format as string)

const isVector = (value: JsonValue | undefined): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number')

/** What `change` gives nothing for stays. */
function mapVectors(body: JsonValue, change: (vector: JsonValue | undefined) => JsonValue | undefined): JsonValue {
  if (!isJsonObject(body) || !Array.isArray(body.data)) return body
  const data = body.data.map((item): JsonValue => {
    if (!isJsonObject(item)) return item
    const embedding = change(item.embedding)
    return embedding === undefined ? item : { ...item, embedding }
  })
  return { ...body, data }
}
