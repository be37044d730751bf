import { Fault } from './fault.ts'
import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  minus,
  nine,
  openBrace,
  openBracket,
  quote,
  zero,
} from './json-characters.ts'

/**
 * Checks that a text is one JSON value (RFC 8259) without duplicate member names, without numbers beyond the range of a
 * double, and not nested deeper than allowed. `JSON.parse` then accepts it, and none of its messages, which quote the
 * text, can come up.
 * @throws Fault with the offset of the first thing that is wrong
 */
export function checkJson(text: string, maxDepth: number): void {
  const scan: Scan = { text, at: 0, maxDepth }
  skipSpace(scan)
  checkValue(scan, 1)
  skipSpace(scan)
  if (scan.at < text.length) fail('there is text after the end of the JSON value', scan)
}

interface Scan {
  readonly text: string
  readonly maxDepth: number
  at: number
}

function checkValue(scan: Scan, depth: number): void {
  const { text, at } = scan
  const first = text.charCodeAt(at)
  if (first === quote) checkString(scan)
  else if (first === openBrace) checkMembers(scan, depth)
  else if (first === openBracket) checkItems(scan, depth)
  else if (first === minus || (first >= zero && first <= nine)) checkNumber(scan)
  else if (text.startsWith('true', at) || text.startsWith('null', at)) scan.at += 4
  else if (text.startsWith('false', at)) scan.at += 5
  else fail('a value is missing', scan)
}

function checkMembers(scan: Scan, depth: number): void {
  open(scan, depth)
  if (closes(scan, closeBrace)) return
  const names: Names = { few: [], many: undefined }
  do {
    skipSpace(scan)
    const start = scan.at
    if (scan.text.charCodeAt(start) !== quote) fail('a member name in quotes is missing', scan)
    const hasEscapes = checkString(scan)
    const raw = scan.text.slice(start + 1, scan.at - 1)
    const name: string = hasEscapes ? JSON.parse(`"${raw}"`) : raw
    if (!addName(name, names)) throw new Fault('a member name stands twice in one object', start)
    skipSpace(scan)
    if (scan.text.charCodeAt(scan.at) !== colon) fail('a colon is missing', scan)
    scan.at++
    skipSpace(scan)
    checkValue(scan, depth + 1)
  } while (goesOn(scan, closeBrace, 'a comma or a closing brace is missing'))
}

/** Most objects have a few members; a set for each would cost more than the rest of the scan. */
interface Names {
  few: string[]
  many: Set<string> | undefined
}

/** @returns false for a name that is there already */
function addName(name: string, names: Names): boolean {
  if (names.many === undefined) {
    if (names.few.includes(name)) return false
    if (names.few.push(name) > 12) names.many = new Set(names.few)
    return true
  }
  const before = names.many.size
  return names.many.add(name).size > before
}

function checkItems(scan: Scan, depth: number): void {
  open(scan, depth)
  if (closes(scan, closeBracket)) return
  do {
    skipSpace(scan)
    checkValue(scan, depth + 1)
  } while (goesOn(scan, closeBracket, 'a comma or a closing bracket is missing'))
}

function open(scan: Scan, depth: number): void {
  if (depth > scan.maxDepth) fail(`the nesting is deeper than ${scan.maxDepth} levels`, scan)
  scan.at++
}

function closes(scan: Scan, bracket: number): boolean {
  skipSpace(scan)
  if (scan.text.charCodeAt(scan.at) !== bracket) return false
  scan.at++
  return true
}

function goesOn(scan: Scan, bracket: number, reason: string): boolean {
  if (closes(scan, bracket)) return false
  if (scan.text.charCodeAt(scan.at) !== comma) fail(reason, scan)
  scan.at++
  return true
}

/** @returns whether the string holds escapes */
function checkString(scan: Scan): boolean {
  const { text } = scan
  let hasEscapes = false
  for (let at = scan.at + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      scan.at = at + 1
      return hasEscapes
    }
    if (code === backslash) {
      hasEscapes = true
      knownEscape.lastIndex = at
      const length = knownEscape.exec(text)?.[0].length
      if (length === undefined) throw new Fault('a string holds an escape that JSON does not know', at)
      at += length - 1
    } else if (code < 0x20) {
      throw new Fault('a string holds a control character or is not closed on its line', at)
    }
  }
  scan.at = text.length
  return fail('a string is not closed', scan)
}

function checkNumber(scan: Scan): void {
  number.lastIndex = scan.at
  const digits = number.exec(scan.text)?.[0]
  if (digits === undefined) fail('a number is not written as JSON writes numbers', scan)
  if (!Number.isFinite(Number(digits))) fail('a number is out of range', scan)
  scan.at += digits.length
}

function skipSpace(scan: Scan): void {
  for (;;) {
    const code = scan.text.charCodeAt(scan.at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
    scan.at++
  }
}

function fail(reason: string, { at, text }: Scan): never {
  throw new Fault(at >= text.length ? `the text ends too early: ${reason}` : reason, at)
}

const knownEscape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
