import type { JsonValue } from '../json/json.ts'

/** What a message costs beside its compact text: names, brackets and indentation of its lines in a v2 file. */
export const messageCost = 256

/** As deep as a part of a message goes: what a file repeats stands above it. */
const keptDepth = 3

/** What is smaller costs less to measure again than to remember. */
const smallest = 128

/** About the length of values as compact JSON. What is repeated is measured once, so repeats cost nothing. */
export function createSizeMeter(): (value: JsonValue) => number {
  const known = new Map<object, number>()
  const measure = (value: JsonValue, depth: number): number => {
    if (typeof value === 'string') return value.length + 2
    if (typeof value !== 'object' || value === null) return 4
    const before = depth > keptDepth ? undefined : known.get(value)
    if (before !== undefined) return before
    let size = 2
    if (Array.isArray(value)) for (const item of value) size += measure(item, depth + 1) + 1
    else for (const name of Object.keys(value)) size += name.length + measure(value[name] as JsonValue, depth + 1) + 4
    if (depth <= keptDepth && size > smallest) known.set(value, size)
    return size
  }
  return (value) => measure(value, 0)
}
