import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts'
import { callPart, type References, resultPart } from './references.ts'
import { fail, fromStoredValue, type Place, specialName, specialValue, within } from './stored-value.ts'

/** A stored message as it stood in the request; parts that repeat a call or a result are filled in. */
export function readMessage(message: JsonValue, references: References, place: Place): JsonValue {
  if (!isJsonObject(message) || !Array.isArray(message.content) || specialName(message) !== undefined) {
    return fromStoredValue(message, place)
  }
  const members = Object.entries(message).map(([name, value]): [string, JsonValue] => [
    name,
    within(place, name, () =>
      name === 'content' && Array.isArray(value) ? readParts(value, references, place) : fromStoredValue(value, place),
    ),
  ])
  return Object.fromEntries(members)
}

const readParts = (parts: JsonValue[], references: References, place: Place): JsonValue[] =>
  parts.map((part, at) => within(place, at, () => readPart(part, references, place)))

function readPart(part: JsonValue, references: References, place: Place): JsonValue {
  const call = readReference(part, '$call', references.call, place)
  if (call !== undefined) return callPart(call)
  const result = readReference(part, '$result', references.result, place)
  return result === undefined ? fromStoredValue(part, place) : resultPart(result)
}

/** What `{ "$call": id }` or `{ "$result": id }` stands for; undefined where the value is no such reference. */
export function readReference(
  value: JsonValue,
  name: '$call' | '$result',
  find: (id: string) => JsonObject | undefined,
  place: Place,
): JsonObject | undefined {
  const stored = specialValue(value, name)
  if (stored === undefined) return undefined
  const id = within(place, name, () => fromStoredValue(stored, place))
  const found = typeof id === 'string' ? find(id) : undefined
  return found ?? fail(`${name} names nothing that stands before it`, place)
}
