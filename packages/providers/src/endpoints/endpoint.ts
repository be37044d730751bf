import type { JsonObject, JsonValue } from '@retake/trace'

/**
 * An endpoint of a provider that is asked with one JSON document and answers with one, and is no conversation:
 * embeddings, moderation, rerank. Pure, like a wire.
 */
export interface Endpoint {
  /** `openai embeddings`; that of its route. */
  readonly name: string
  /** The environment variable that holds the key, for messages. */
  readonly keyVariable: string
  /** What of a request decides the answer. */
  readInput(request: JsonObject, url: URL): JsonObject
  /** The answer to `request` as it is stored. */
  readResult(answer: JsonValue, request: JsonObject): JsonValue
  /** A stored answer in the shape that this request asks for. */
  writeResult(result: JsonValue, request: JsonObject): JsonValue
}
