import { isJsonObject, type JsonValue } from '@retake/trace'
import { equalJson } from './equal-json.ts'

const most = 2_000

/** Share of two texts that their common beginning and end cover, 0 to 1. Looks at the first 2,000 characters. */
export const likenessOfTexts = (before: string, after: string): number => {
  const [one, other] = [before.slice(0, most), after.slice(0, most)]
  const longest = Math.max(one.length, other.length)
  if (longest === 0) return 1
  const shortest = Math.min(one.length, other.length)
  let head = 0
  while (head < shortest && one.charCodeAt(head) === other.charCodeAt(head)) head++
  let tail = 0
  while (
    tail < shortest - head &&
    one.charCodeAt(one.length - 1 - tail) === other.charCodeAt(other.length - 1 - tail)
  ) {
    tail++
  }
  return (head + tail) / longest
}

/** How much of one JSON value is found in another at the same place, 0 to 1. */
export const likenessOfValues = (before: JsonValue, after: JsonValue): number => {
  if (typeof before === 'string' && typeof after === 'string') return likenessOfTexts(before, after)
  if (!isJsonObject(before) || !isJsonObject(after)) return Array.isArray(before) && Array.isArray(after) ? 0.5 : 0
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  let sum = 0
  for (const key of keys) {
    if (Object.hasOwn(before, key) && Object.hasOwn(after, key)) sum += likenessOfMembers(before[key], after[key])
  }
  return keys.size === 0 ? 1 : sum / keys.size
}

const likenessOfMembers = (before: JsonValue | undefined, after: JsonValue | undefined): number => {
  if (equalJson(before, after)) return 1
  return typeof before === 'string' && typeof after === 'string' ? likenessOfTexts(before, after) / 2 : 0
}
