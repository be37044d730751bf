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

type TypeName = 'string' | 'boolean' | 'list' | 'object'

const isOfType = (value: JsonValue, type: TypeName): boolean => {
  if (type === 'list') return Array.isArray(value)
  return type === 'object' ? isJsonObject(value) : typeof value === type
}

/** The names whose member has a type it can be read as. Of another type it is as strange as a member nobody knows. */
export const ofType = (object: JsonObject, types: Readonly<Record<string, readonly TypeName[]>>): string[] =>
  Object.entries(types).flatMap(([name, accepted]) => {
    const value = object[name]
    return value !== undefined && accepted.some((type) => isOfType(value, type)) ? [name] : []
  })

export const parseJson = (text: string): JsonValue | undefined => {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}
