import { UnsupportedError } from '@retake/trace'
import { byCodePoint } from './code-point-order.ts'
import { formatPythonNumber } from './python-number.ts'
import { NumberToken, type TokenJson, type TokenObject } from './tokens.ts'

export interface PythonLayout {
  /** Separators: `, ` and `: ` as by default, or without spaces. [false] */
  compact?: boolean
  /** Members in the order of their code points. [false: as they stand] */
  sortKeys?: boolean
  /** Print NaN, Infinity and -Infinity, as Python does by default. [true] */
  nonFinite?: boolean
  /** Print numbers as they were written, not as Python would. [false] */
  numbersAsWritten?: boolean
  /** One member or item a line, by two spaces. [false] */
  indented?: boolean
}

/**
 * The text that Python's `json.dumps(value, ensure_ascii=False)` gives, which is UTF-8 ready.
 * @throws UnsupportedError for a lone surrogate, which has no UTF-8, and for a non-finite number where those are off
 */
export function printPython(value: TokenJson, layout: PythonLayout = {}): string {
  const { compact = false, sortKeys = false, nonFinite = true, numbersAsWritten = false, indented = false } = layout
  const colon = compact ? ':' : ': '
  const wrap = (open: string, parts: string[], close: string, depth: number): string => {
    if (!indented || parts.length === 0) return open + parts.join(compact ? ',' : ', ') + close
    const line = `\n${'  '.repeat(depth)}`
    return `${open}${line}  ${parts.join(`,${line}  `)}${line}${close}`
  }
  const print = (value: TokenJson, depth: number): string => {
    if (value === null || typeof value === 'boolean') return String(value)
    if (typeof value === 'string') return printString(value)
    if (value instanceof NumberToken) return numbersAsWritten ? value.text : printNumber(value, nonFinite)
    const below = (member: TokenJson) => print(member, depth + 1)
    if (Array.isArray(value)) return wrap('[', value.map(below), ']', depth)
    const members = membersOf(value, sortKeys).map(([name, member]) => printString(name) + colon + below(member))
    return wrap('{', members, '}', depth)
  }
  return print(value, 0)
}

const membersOf = (object: TokenObject, sorted: boolean): [string, TokenJson][] => {
  const members = [...object]
  return sorted ? members.sort(([a], [b]) => byCodePoint(a, b)) : members
}

function printString(text: string): string {
  if (text.isWellFormed()) return JSON.stringify(text)
  throw new UnsupportedError('a text holds half of a surrogate pair, which has no place in UTF-8', {
    name: 'lone surrogate',
  })
}

function printNumber(token: NumberToken, nonFinite: boolean): string {
  const text = formatPythonNumber(token)
  if (nonFinite || Number.isFinite(token.value) || token.isInteger) return text
  throw new UnsupportedError('a number is NaN or infinite, which this format does not allow', {
    name: 'non-finite number',
  })
}
