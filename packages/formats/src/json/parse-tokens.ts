import { NumberToken, type TokenJson, type TokenObject } from './tokens.ts'

export interface TokenOptions {
  /** Whether NaN, Infinity and -Infinity, which Python writes, are numbers. [false] */
  nonFinite?: boolean
  /** Deepest nesting of objects and arrays. [256] */
  maxDepth?: number
}

/** Why a text is no JSON, at an offset. Readers turn it into the error that a user meets; it never quotes the text. */
export class TokenFault extends Error {
  readonly at: number

  constructor(reason: string, at: number) {
    super(reason)
    this.at = at
  }
}

/**
 * The value of one JSON text (RFC 8259), strictly: a member name that stands twice in one object is a fault.
 * @throws TokenFault
 */
export function parseTokens(text: string, { nonFinite = false, maxDepth = 256 }: TokenOptions = {}): TokenJson {
  const scan: Scan = { text, at: 0, number: nonFinite ? anyNumber : finiteNumber, maxDepth }
  const value = readValue(scan, 1)
  if (scan.at < text.length) throw new TokenFault('there is text after the end of the JSON value', scan.at)
  return value
}

interface Scan {
  readonly text: string
  readonly number: RegExp
  readonly maxDepth: number
  at: number
}

const finiteNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const anyNumber = /NaN|-?Infinity|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const space = /[ \t\n\r]*/y
const words: readonly (readonly [string, TokenJson])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

function readValue(scan: Scan, depth: number): TokenJson {
  skipSpace(scan)
  const value = readBareValue(scan, depth)
  skipSpace(scan)
  return value
}

function readBareValue(scan: Scan, depth: number): TokenJson {
  const { text, at } = scan
  const first = text[at]
  if (first === '"') return readString(scan)
  if (first === '{') return readMembers(scan, depth)
  if (first === '[') return readItems(scan, depth)
  for (const [word, value] of words) {
    if (!text.startsWith(word, at)) continue
    scan.at += word.length
    return value
  }
  const number = take(scan, scan.number)
  return number === undefined ? fail('a value is missing', scan) : new NumberToken(number)
}

function readMembers(scan: Scan, depth: number): TokenObject {
  const members: TokenObject = new Map()
  open(scan, depth)
  if (closes(scan, '}')) return members
  do {
    skipSpace(scan)
    const start = scan.at
    const name = scan.text[start] === '"' ? readString(scan) : fail('a member name in quotes is missing', scan)
    if (members.has(name)) throw new TokenFault('a member name stands twice in one object', start)
    skipSpace(scan)
    if (scan.text[scan.at] !== ':') fail('a colon is missing', scan)
    scan.at++
    members.set(name, readValue(scan, depth + 1))
  } while (goesOn(scan, '}', 'a comma or a closing brace is missing'))
  return members
}

function readItems(scan: Scan, depth: number): TokenJson[] {
  const items: TokenJson[] = []
  open(scan, depth)
  if (closes(scan, ']')) return items
  do items.push(readValue(scan, depth + 1))
  while (goesOn(scan, ']', 'a comma or a closing bracket is missing'))
  return items
}

function readString(scan: Scan): string {
  const { text, at: start } = scan
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  if (end === -1) throw new TokenFault('the text ends too early: a string is not closed', start)
  scan.at = end + 1
  try {
    return JSON.parse(text.slice(start, scan.at)) as string
  } catch {
    // Its own message would quote the text.
    throw new TokenFault('a string holds what JSON does not allow in one', start)
  }
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

function open(scan: Scan, depth: number): void {
  if (depth > scan.maxDepth) fail(`the nesting is deeper than ${scan.maxDepth} levels`, scan)
  scan.at++
}

function closes(scan: Scan, bracket: string): boolean {
  skipSpace(scan)
  if (scan.text[scan.at] !== bracket) return false
  scan.at++
  return true
}

function goesOn(scan: Scan, bracket: string, reason: string): boolean {
  if (closes(scan, bracket)) return false
  if (scan.text[scan.at] !== ',') fail(reason, scan)
  scan.at++
  return true
}

function take(scan: Scan, pattern: RegExp): string | undefined {
  pattern.lastIndex = scan.at
  const found = pattern.exec(scan.text)?.[0]
  if (found !== undefined) scan.at += found.length
  return found
}

function skipSpace(scan: Scan): void {
  take(scan, space)
}

function fail(reason: string, { at, text }: Scan): never {
  throw new TokenFault(at >= text.length ? `the text ends too early: ${reason}` : reason, at)
}
