import type { StoredResult } from '@retake/providers'
import { isError, type JsonValue, maskSecrets, type SecretLiteral, toStoredJson, UnsupportedError } from '@retake/trace'
import { shared } from '../seam/shared.ts'

/**
 * What a tool returned, as it is stored.
 * @throws UnsupportedError for what JSON cannot hold
 */
export const toStoredResult = (name: string, value: unknown): StoredResult =>
  value === undefined
    ? { result: null, noValue: true }
    : { result: toStoredJson(value, `the result of tool "${name}"`) }

/**
 * What a tool threw: an error by its name and message, or a text.
 * @throws UnsupportedError for anything else, which a replay could not throw again
 */
export function toStoredError(name: string, error: unknown, secrets: readonly SecretLiteral[]): StoredResult {
  if (typeof error === 'string') return { error: maskSecrets(error, secrets), errorName: thrownText }
  if (!isError(error)) {
    throw new UnsupportedError(
      `tool "${name}" threw a value that is no Error, which a replay could not throw again. Throw an Error.`,
      { name: 'value JSON cannot hold', where: `tool "${name}"` },
    )
  }
  return { error: maskSecrets(error.message, secrets), ...(error.name !== 'Error' && { errorName: error.name }) }
}

const thrownText = 'string'

/** Agents tell these apart by their class. */
const errorNames = ['Error', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'] as const

/** Gives a recorded result back: the value, or the error thrown with its name and message. */
export function returnStored(stored: StoredResult): JsonValue | undefined {
  const realm = shared.realm ?? globalThis
  if ('error' in stored) {
    if (stored.errorName === thrownText) throw stored.error
    const { errorName = 'Error' } = stored
    const name = errorNames.find((known) => known === errorName)
    throw name ? new realm[name](stored.error) : Object.assign(new realm.Error(stored.error), { name: errorName })
  }
  if (stored.noValue) return undefined
  return shared.realm ? realm.JSON.parse(JSON.stringify(stored.result)) : structuredClone(stored.result)
}
