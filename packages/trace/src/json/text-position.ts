import type { JsonPath } from './json-path.ts'

export interface TextPosition {
  /** From 1. */
  line: number
  /** From 1, in UTF-16 code units. */
  column: number
}

/** Line and column of an offset; lines end at a line feed. */
export function textPosition(text: string, offset: number): TextPosition {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return { line, column: offset - start + 1 }
}

/** Offset of the value at a path in valid JSON text, or of the last value on the way to it that exists. */
export function valueOffset(text: string, path: JsonPath): number {
  let at = nextToken(text, 0)
  for (const key of path) {
    const member = typeof key === 'number' ? findItem(text, at, key) : findMember(text, at, key)
    if (member === undefined) return at
    at = member
  }
  return at
}

function findMember(text: string, object: number, name: string): number | undefined {
  if (text[object] !== '{') return undefined
  for (let at = nextToken(text, object + 1); text[at] === '"'; ) {
    const end = stringEnd(text, at)
    const value = nextToken(text, nextToken(text, end) + 1)
    if (JSON.parse(text.slice(at, end)) === name) return value
    at = nextToken(text, nextToken(text, valueEnd(text, value)) + 1)
  }
  return undefined
}

function findItem(text: string, array: number, index: number): number | undefined {
  if (text[array] !== '[') return undefined
  let at = nextToken(text, array + 1)
  if (text[at] === ']') return undefined
  for (let count = 0; count < index; count++) {
    const separator = nextToken(text, valueEnd(text, at))
    if (text[separator] !== ',') return undefined
    at = nextToken(text, separator + 1)
  }
  return at
}

function nextToken(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return at
}

function valueEnd(text: string, from: number): number {
  if (text[from] === '"') return stringEnd(text, from)
  let at = from
  let depth = 0
  do {
    const character = text[at] as string
    if (character === '{' || character === '[') depth++
    else if (character === '}' || character === ']') depth--
    at = character === '"' ? stringEnd(text, at) : at + 1
  } while (at < text.length && (depth > 0 || (isBare(text[from]) && isBare(text[at]))))
  return at
}

/** True inside a number, true, false or null. */
const isBare = (character: string | undefined): boolean => character !== undefined && /[\w.+-]/.test(character)

function stringEnd(text: string, from: number): number {
  let at = from + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
