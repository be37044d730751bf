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

/** Equal to the letter: clients quote the JSON of an error in their messages. */
export const isSameText = (one: JsonValue, other: JsonValue): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The members of `object` that are neither known nor null. */
export const otherMembers = (object: JsonObject, known: readonly string[] | KnownMembers): JsonObject => {
  const others: JsonObject = {}
  for (const name of Object.keys(object)) {
    const value = object[name] as JsonValue
    if (value === null || isKnown(known, name, value)) continue
    // Assignment would set the prototype for a member named __proto__.
    Object.defineProperty(others, name, { value, enumerable: true, configurable: true, writable: true })
  }
  return others
}

const isKnown = (known: readonly string[] | KnownMembers, name: string, value: JsonValue): boolean => {
  if (!('get' in known)) return known.includes(name)
  const types = known.get(name)
  return types !== undefined && (types === anyType || types.some((type) => isOfType(value, type)))
}

/** Members that are read, or change nothing: of some only those of a type they can be read as. */
export type KnownMembers = ReadonlyMap<string, readonly TypeName[]>

const anyType: readonly TypeName[] = []

/** Made once and used for every message, which is cheaper than a list for each. */
export const createKnown = (
  names: readonly string[],
  typed: Readonly<Record<string, readonly TypeName[]>> = {},
): KnownMembers => new Map([...names.map((name) => [name, anyType] as const), ...Object.entries(typed)])

export type TypeName = 'string' | 'boolean' | 'list' | 'object'

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
