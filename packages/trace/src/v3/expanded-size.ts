import type { JsonValue } from '../json.ts'

/** What a message costs beside its compact text: names, brackets and indentation of its lines in a v2 file. */
export const messageCost = 256

/** About the length of values as compact JSON; objects are measured once, so repeats cost nothing. */
export function createSizeMeter(): (value: JsonValue) => number {
  const known = new WeakMap<object, number>()
  const measure = (value: JsonValue): number => {
    if (typeof value === 'string') return value.length + 2
    if (typeof value !== 'object' || value === null) return 4
    const before = known.get(value)
    if (before !== undefined) return before
    const size = Array.isArray(value)
      ? value.reduce<number>((sum, item) => sum + measure(item) + 1, 2)
      : Object.entries(value).reduce((sum, [name, member]) => sum + name.length + measure(member) + 4, 2)
    known.set(value, size)
    return size
  }
  return measure
}
