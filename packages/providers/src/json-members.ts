import { isJsonObject, type JsonObject, type JsonValue } from '@retake/trace'

/** Views of a JSON member as the type it should have. A member of another type is as good as absent. */
export const toText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '')

export const toList = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

export const toObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {})

export const toObjects = (value: JsonValue | undefined): JsonObject[] => toList(value).filter(isJsonObject)

/** True for a member that carries nothing: absent, null, false, an empty text, list or object. */
export const isNothing = (value: JsonValue | undefined): boolean => {
  if (value === undefined || value === null || value === false || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** The members of `object` that are neither named nor null. */
export const otherMembers = (object: JsonObject, named: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null && !named.includes(name)))

export const parseJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
