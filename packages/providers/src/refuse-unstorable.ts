import { type JsonValue, parseJson, UnsupportedError } from '@retake/trace'

/** Deepest nesting of a body: what is made of it must fit a cassette, whose reader stops at 256 levels. */
const maxDepth = 220

/** True for a value that no cassette can hold: nested too deep, or with a number beyond the range of a double. */
const isUnstorable = (value: unknown, levels: number = maxDepth): boolean => {
  if (typeof value === 'number') return !Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (isUnstorable(member, levels - 1)) return true
  }
  return false
}

/**
 * Whoever walks a value that is nested thousands of levels deep runs out of stack, so this is asked first.
 * @throws UnsupportedError for a value that no cassette can hold
 */
export const refuseUnstorable = (value: unknown, what: string): void => {
  if (!isUnstorable(value)) return
  throw new UnsupportedError(
    `${what} is nested more than ${maxDepth} levels deep, or has a number out of range, which no cassette can hold`,
    { name: 'value JSON cannot hold', field: what },
  )
}

/** Undefined for a text that is no JSON, or none that a cassette can hold. */
export const parseStorable = (text: string): JsonValue | undefined => {
  const value = parseJson(text)
  return isUnstorable(value) ? undefined : value
}
