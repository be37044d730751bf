/** True if two JSON values print as the same compact text, key order included. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, at) => sameJson(item, right[at]))
  }
  if (Array.isArray(right)) return false
  const keys = Object.keys(left)
  const otherKeys = Object.keys(right)
  if (keys.length !== otherKeys.length) return false
  return keys.every(
    (key, at) =>
      key === otherKeys[at] &&
      sameJson((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  )
}
