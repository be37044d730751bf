import { type JsonValue, toStoredJson } from '@retake/trace'

/**
 * The arguments of a tool as they are stored: none is `{}`, one is itself, several are an array. Arguments after the
 * first that are no plain data (a runner, a context, an AbortSignal) belong to the SDK and are left out.
 * @throws UnsupportedError where the first argument would not survive storing
 */
export function toToolInput(name: string, args: readonly unknown[]): JsonValue {
  const stored: JsonValue[] = []
  for (const [n, arg] of args.entries()) {
    if (n === 0) {
      if (arg !== undefined) stored.push(toStoredJson(arg, `the input of tool "${name}"`))
      continue
    }
    if (!isPlainData(arg)) break
    stored.push(toStoredJson(arg, `argument ${n + 1} of tool "${name}"`))
  }
  return stored.length === 0 ? {} : stored.length === 1 ? (stored[0] as JsonValue) : stored
}

function isPlainData(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > 32) return false
  if (Array.isArray(value)) return value.every((item) => isPlainData(item, depth + 1))
  const prototype = Object.getPrototypeOf(value)
  // Of any realm.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return false
  return Object.values(value).every((item) => item === undefined || isPlainData(item, depth + 1))
}
