import { isJsonObject, type JsonValue } from '@retake/trace'

/** `modr-8Xy…`, a UUID: another in every answer, and nobody asks for it again. */
export function withoutId(answer: JsonValue): JsonValue {
  if (!isJsonObject(answer) || typeof answer.id !== 'string') return answer
  const prefix = /^[a-z]+[-_]/.exec(answer.id)?.[0] ?? ''
  return { ...answer, id: `${prefix}retake` }
}
