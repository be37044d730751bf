import { isJsonObject, type JsonValue, parseJson, UnsupportedError } from '@retake/trace'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { HttpAnswer, HttpAsked, HttpCall, StoredResult } from './http-call.ts'
import { fromStoredStatus, toStoredStatus } from './stored-status.ts'

/**
 * A request to a model endpoint that is no conversation.
 * @throws UnsupportedError for a body that is no JSON object
 */
export function toEndpointCall(endpoint: Endpoint, { url, bytes }: HttpAsked): HttpCall {
  const { name } = endpoint
  const body = parseBytes(bytes)
  if (!isJsonObject(body)) {
    throw new UnsupportedError(
      `the request to ${name} is no JSON object, and cannot be recorded\n  Let it pass with \`allow: ['${url.host}']\`.`,
      { name: 'endpoint without JSON', url: url.origin + url.pathname },
    )
  }
  return {
    origin: 'endpoint',
    toolName: name,
    toolInput: endpoint.readInput(body, url),
    toResult(answer): StoredResult {
      if (answer.status >= 400) return toStoredStatus(answer)
      const result = parseBytes(answer.bytes)
      if (answer.end === undefined && result !== undefined) return { result: endpoint.readResult(result, body) }
      const isEmpty = answer.bytes.length === 0
      throw new UnsupportedError(`the answer of ${name} is ${isEmpty ? 'empty' : 'no JSON, or is not complete'}`, {
        name: isEmpty ? 'empty captured body' : 'unreadable reply',
      })
    },
    toAnswer: (stored) =>
      'error' in stored ? fromStoredStatus(stored) : jsonAnswer(endpoint.writeResult(stored.result, body)),
  }
}

export const jsonAnswer = (value: JsonValue, headers: Record<string, string> = {}): HttpAnswer => ({
  status: 200,
  statusText: 'OK',
  headers: { 'content-type': 'application/json', ...headers },
  bytes: new Uint8Array(Buffer.from(JSON.stringify(value))),
})

export const parseBytes = (bytes: Uint8Array): JsonValue | undefined => parseJson(Buffer.from(bytes).toString())
