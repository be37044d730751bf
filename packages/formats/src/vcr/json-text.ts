import { isJsonObject } from '@retake/trace'

/** Deepest JSON that is read from a recording. */
const maxDepth = 240

/**
 * Compact JSON of a value that came out of YAML, where aliases can make a small file a large value.
 * @throws RangeError for more than `most` characters, or too many levels
 */
export function toJsonText(value: unknown, most: number): string {
  let left = most
  const spend = (text: string): string => {
    left -= text.length
    if (left < 0) throw new RangeError('larger than a body may be')
    return text
  }
  const print = (item: unknown, depth: number): string => {
    if (depth > maxDepth) throw new RangeError('nested too deep')
    if (Array.isArray(item)) return `[${spend(item.map((one) => print(one, depth + 1)).join(','))}]`
    if (isJsonObject(item) && !(item instanceof Uint8Array)) {
      const members = Object.entries(item).map(
        ([name, member]) => `${JSON.stringify(name)}:${print(member, depth + 1)}`,
      )
      return `{${spend(members.join(','))}}`
    }
    if (item instanceof Uint8Array || item === undefined) throw new TypeError('no JSON')
    return spend(JSON.stringify(item))
  }
  return print(value, 0)
}
