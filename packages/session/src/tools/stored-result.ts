import { type JsonValue, maskSecrets, type SecretLiteral, toStoredJson } from '@retake/trace'
import type { StoredResult } from '../cassette.ts'

/** What a tool returned, as it is stored; `undefined` is stored as null. */
export const toStoredResult = (name: string, value: unknown): StoredResult => ({
  result: value === undefined ? null : toStoredJson(value, `the result of tool "${name}"`),
})

/** What a tool threw. */
export function toStoredError(error: unknown, secrets: readonly SecretLiteral[]): StoredResult {
  const message = error instanceof Error ? error.message : String(error)
  const errorName = error instanceof Error && error.name !== 'Error' ? error.name : undefined
  return { error: maskSecrets(message, secrets), ...(errorName && { errorName }) }
}

/** Gives a recorded result back: the value, or the error thrown with its name and message. */
export function returnStored(stored: { result?: JsonValue; error?: string; errorName?: string }): JsonValue {
  if (stored.error === undefined) return structuredClone(stored.result ?? null)
  const error = new Error(stored.error)
  if (stored.errorName) error.name = stored.errorName
  throw error
}
