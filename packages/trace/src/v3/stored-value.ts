import { Fault } from '../json/fault.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'

/** Names that mean something in a v3 payload when they stand alone, with any number of `$` that keep data apart. */
const special = /^\$+(?:lines|keep|call|result)$/

export type SpecialName = '$lines' | '$keep' | '$call' | '$result'

/** The name of the only member, where it is special or a special name written as data. */
export function specialName(value: unknown): string | undefined {
  if (!isJsonObject(value)) return undefined
  const names = Object.keys(value)
  const [name] = names
  return name !== undefined && names.length === 1 && special.test(name) ? name : undefined
}

/** The value of `{ [name]: value }`, where the object is exactly that. */
export const specialValue = (value: JsonValue, name: SpecialName): JsonValue | undefined =>
  specialName(value) === name ? (value as JsonObject)[name] : undefined

/**
 * A value of a trace as it is written: texts of several lines as lists of lines, and one `$` more before a special name
 * of the data. Parts that do not change are the same objects.
 */
export function toStoredValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.includes('\n') ? { $lines: value.split('\n') } : value
  if (Array.isArray(value)) return mapped(value, toStoredValue)
  if (!isJsonObject(value)) return value
  return escaped(mappedMembers(value, toStoredValue))
}

/** One `$` more, where the only member of an object has a special name. */
export function escaped(value: JsonObject): JsonObject {
  const name = specialName(value)
  return name === undefined ? value : { [`$${name}`]: value[name] as JsonValue }
}

/** Names and indices on the way to the value in hand; a reader pushes and pops. */
export type Place = (string | number)[]

/** @throws Fault for a special name where it means nothing, a bad list of lines, or a raw line feed */
export function fromStoredValue(value: JsonValue, place: Place): JsonValue {
  if (typeof value === 'string') {
    if (value.includes('\n')) fail('a text with a line feed is not written as $lines', place)
    return value
  }
  if (typeof value !== 'object' || value === null) return value
  // Place by place without `within`: this is what reading a file does most.
  const read = (member: JsonValue, key: string | number): JsonValue => {
    place.push(key)
    const changed = fromStoredValue(member, place)
    place.pop()
    return changed
  }
  if (Array.isArray(value)) return mapped(value, read)
  const lines = specialValue(value, '$lines')
  if (lines !== undefined) return joined(lines, place)
  return mappedMembers(unescaped(value, place), read)
}

/** One `$` less. */
export function unescaped(value: JsonObject, place: Place): JsonObject {
  const name = specialName(value)
  if (name === undefined) return value
  if (!name.startsWith('$$')) fail(`${name} has no meaning here`, place)
  return { [name.slice(1)]: value[name] as JsonValue }
}

/** Reads a member or an item with its name on the place. */
export function within<T>(place: Place, key: string | number, read: () => T): T {
  place.push(key)
  const value = read()
  place.pop()
  return value
}

export function fail(reason: string, place: Place): never {
  throw new Fault(reason, [...place])
}

/** The value as an object that has no other members. */
export function onlyMembers(value: JsonValue, known: readonly string[], place: Place): JsonObject {
  if (!isJsonObject(value)) return fail('an object is missing', place)
  for (const name of Object.keys(value)) {
    if (!known.includes(name)) fail('there is a member that the format does not know', place)
  }
  return value
}

function joined(lines: JsonValue, place: Place): string {
  const isList = Array.isArray(lines) && lines.length > 1
  if (!isList || !lines.every((line) => typeof line === 'string' && !line.includes('\n'))) {
    fail('$lines is no list of two or more texts without line feeds', place)
  }
  return lines.join('\n')
}

function mapped(items: JsonValue[], change: (item: JsonValue, at: number) => JsonValue): JsonValue[] {
  let copy: JsonValue[] | undefined
  items.forEach((item, at) => {
    const changed = change(item, at)
    if (changed === item) return
    copy ??= items.slice()
    copy[at] = changed
  })
  return copy ?? items
}

function mappedMembers(value: JsonObject, change: (member: JsonValue, name: string) => JsonValue): JsonObject {
  const names = Object.keys(value)
  const members = names.map((name) => change(value[name] as JsonValue, name))
  if (names.every((name, at) => members[at] === value[name])) return value
  return Object.fromEntries(names.map((name, at) => [name, members[at] as JsonValue]))
}
