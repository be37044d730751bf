import { isJsonObject, type JsonObject, type JsonValue } from './json/json.ts'
import { sameJson } from './json/same-json.ts'

/**
 * Gives the parts that a request repeats from the request before it the same object references, so that hashing,
 * comparing and writing can tell by `===` what is old. Feed it the model_input payloads of one trace in order.
 * @returns a payload that prints the same; messages equal to earlier ones are the earlier objects
 */
export function createSharedHistory(): (payload: JsonValue) => JsonValue {
  let previous: JsonObject | undefined
  return (payload) => {
    if (!isJsonObject(payload) || !Array.isArray(payload.messages)) return payload
    const before = previous
    const shared =
      before === undefined
        ? payload
        : Object.fromEntries(Object.entries(payload).map(([key, value]) => [key, share(key, value, before)]))
    previous = shared
    return shared
  }
}

function share(key: string, value: JsonValue, previous: JsonObject): JsonValue {
  if (!Object.hasOwn(previous, key)) return value
  const before = previous[key] as JsonValue
  if (key === 'messages' && Array.isArray(value) && Array.isArray(before)) return shareItems(value, before)
  return sameJson(value, before) ? before : value
}

/**
 * In one pass: histories grow at the end and lose messages anywhere, so equal messages keep their order. Two long
 * histories that share nothing must not cost their product, so the search ahead is limited; what it misses is only not
 * shared.
 */
function shareItems(items: JsonValue[], before: JsonValue[]): JsonValue[] {
  let next = 0
  let searches = 16 * (items.length + before.length)
  return items.map((item) => {
    for (let at = next; at < before.length && (at === next || searches-- > 0); at++) {
      const candidate = before[at] as JsonValue
      if (!sameJson(item, candidate)) continue
      next = at + 1
      return candidate
    }
    return item
  })
}
