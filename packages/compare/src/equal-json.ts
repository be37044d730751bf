/** Deep equality of JSON values. The order of object members does not count; the first difference ends the walk. */
export const equalJson = (before: unknown, after: unknown): boolean => {
  if (before === after) return true
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false
  if (Array.isArray(before)) return Array.isArray(after) && equalItems(before, after)
  if (Array.isArray(after)) return false
  const keys = Object.keys(before)
  if (keys.length !== Object.keys(after).length) return false
  for (const key of keys) {
    // Own members only: a key named like something every object inherits must not count as present.
    if (!Object.hasOwn(after, key)) return false
    if (!equalJson(before[key as keyof typeof before], after[key as keyof typeof after])) return false
  }
  return true
}

const equalItems = (before: readonly unknown[], after: readonly unknown[]): boolean => {
  if (before.length !== after.length) return false
  for (let index = 0; index < before.length; index++) {
    if (!equalJson(before[index], after[index])) return false
  }
  return true
}
