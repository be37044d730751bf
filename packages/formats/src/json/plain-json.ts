import { formatPath, type JsonPath, type JsonValue } from '@retake/trace'
import { parseTokens } from './parse-tokens.ts'
import { formatPythonNumber } from './python-number.ts'
import { NumberToken, type TokenJson } from './tokens.ts'

/** The value as `JSON.parse` would give it. Non-finite numbers, which JSON cannot hold, become null. */
export function toPlain(value: TokenJson): JsonValue {
  if (value instanceof NumberToken) return Number.isFinite(value.value) ? value.value : null
  if (Array.isArray(value)) return value.map(toPlain)
  if (!(value instanceof Map)) return value
  return Object.fromEntries(Array.from(value, ([name, member]) => [name, toPlain(member)]))
}

/** A value of JavaScript as another program reads it from the text of `JSON.stringify`. */
export const fromPlain = (value: JsonValue): TokenJson => parseTokens(JSON.stringify(value))

/** As `toPlain` where something may be missing. */
export const plainOf = (value: TokenJson | undefined): JsonValue | undefined =>
  value === undefined ? undefined : toPlain(value)

/** Places of the numbers that are not the same for Python once JavaScript has read them: 1.0, 2^53 + 1, NaN. */
export function changedNumbers(value: TokenJson, path: JsonPath = []): string[] {
  if (value instanceof NumberToken) return isKept(value) ? [] : [formatPath(path)]
  if (Array.isArray(value)) return value.flatMap((item, at) => changedNumbers(item, [...path, at]))
  if (!(value instanceof Map)) return []
  return Array.from(value).flatMap(([name, member]) => changedNumbers(member, [...path, name]))
}

const isKept = (token: NumberToken): boolean =>
  Number.isFinite(token.value) &&
  formatPythonNumber(token) === formatPythonNumber(new NumberToken(JSON.stringify(token.value)))
