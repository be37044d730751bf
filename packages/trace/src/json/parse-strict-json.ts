import { checkJson } from './check-json.ts'
import { type JsonValue, parseJson } from './json.ts'
import { backslash, closeBrace, closeBracket, colon, openBrace, openBracket, quote } from './json-characters.ts'

/**
 * The value of a text that `checkJson` accepts. For a sound text that is found out more quickly: the text is scanned for
 * its nesting, which must not surprise the parser, and for the number of its members, which the value must have as well.
 * @throws Fault as `checkJson` does
 */
export function parseStrictJson(text: string, maxDepth: number): JsonValue {
  const members = countMembers(text, maxDepth)
  const value = members === undefined ? undefined : parseJson(text)
  if (value !== undefined && countKeys(value) === members) return value
  checkJson(text, maxDepth)
  return JSON.parse(text) as JsonValue
}

/** Colons outside of strings: one a member. Undefined where the nesting is too deep or a string does not end. */
function countMembers(text: string, maxDepth: number): number | undefined {
  let depth = 0
  let colons = 0
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at)
        if (at === -1) return undefined
        break
      case colon:
        colons++
        break
      case openBrace:
      case openBracket:
        if (++depth > maxDepth) return undefined
        break
      case closeBrace:
      case closeBracket:
        depth--
    }
  }
  return colons
}

/** Index of the quote that ends the string which starts at `start`; -1 for none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
  return slashes % 2 === 1
}

/** Members of all objects in a value: fewer than in its text where one stands twice. NaN for a number out of range. */
function countKeys(value: JsonValue): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item)
    return count
  }
  for (const name in value) count += 1 + countKeys(value[name] as JsonValue)
  return count
}
