import { Fault } from './fault.ts'

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
  const first = scan.text[scan.at]
  if (first === '"') checkString(scan)
  else if (first === '{') checkMembers(scan, depth)
  else if (first === '[') checkItems(scan, depth)
  else if (first !== undefined && /[-\d]/.test(first)) checkNumber(scan)
  else checkWord(scan)
}

function checkWord(scan: Scan): void {
  const word = ['true', 'false', 'null'].find((word) => scan.text.startsWith(word, scan.at))
  if (word === undefined) fail('a value is missing', scan)
  scan.at += word.length
}

function checkMembers(scan: Scan, depth: number): void {
  const names = new Set<string>()
  open(scan, depth)
  if (closes(scan, '}')) return
  do {
    skipSpace(scan)
    const start = scan.at
    if (scan.text[start] !== '"') fail('a member name in quotes is missing', scan)
    checkString(scan)
    const name: string = JSON.parse(scan.text.slice(start, scan.at))
    if (names.has(name)) throw new Fault('a member name stands twice in one object', start)
    names.add(name)
    skipSpace(scan)
    if (scan.text[scan.at] !== ':') fail('a colon is missing', scan)
    scan.at++
    skipSpace(scan)
    checkValue(scan, depth + 1)
  } while (goesOn(scan, '}', 'a comma or a closing brace is missing'))
}

function checkItems(scan: Scan, depth: number): void {
  open(scan, depth)
  if (closes(scan, ']')) return
  do {
    skipSpace(scan)
    checkValue(scan, depth + 1)
  } while (goesOn(scan, ']', 'a comma or a closing bracket is missing'))
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

function checkString(scan: Scan): void {
  const { text } = scan
  for (let at = scan.at + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      scan.at = at + 1
      return
    }
    if (code === 0x5c) {
      knownEscape.lastIndex = at
      const length = knownEscape.exec(text)?.[0].length
      if (length === undefined) throw new Fault('a string holds an escape that JSON does not know', at)
      at += length - 1
    } else if (code < 0x20) {
      throw new Fault('a string holds a control character or is not closed on its line', at)
    }
  }
  scan.at = text.length
  fail('a string is not closed', scan)
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
