import type { JsonValue } from '../json/json.ts'
import { specialName } from './stored-value.ts'
import type { V3File, V3Step } from './v3-file.ts'

/** Longest line, in UTF-16 code units, that a value shares with its name. */
const width = 100

/** The one text of a v3 file. */
export function printV3(file: V3File): string {
  const members = Object.entries(file).map(([name, value], at, all) => {
    const comma = at < all.length - 1 ? ',' : ''
    const head = `  "${name}": `
    if (name === 'steps' && file.steps.length > 0) return `${head}${listed(file.steps, printStep)}${comma}`
    if (name === 'extras') return `${head}${listed(value as JsonValue[], (entry) => `    ${oneLine(entry)}`)}${comma}`
    return `${head}${print(value as JsonValue, 2, head.length, comma.length)}${comma}`
  })
  return `{\n${members.join('\n')}\n}\n`
}

const listed = <T>(items: T[], printItem: (item: T, comma: string) => string): string => {
  const lines = items.map((item, at) => {
    const comma = at < items.length - 1 ? ',' : ''
    return printItem(item, comma) + comma
  })
  return `[\n${lines.join('\n')}\n  ]`
}

/** One line where it fits; else payload and sum on lines of their own, and the brace behind the sum. */
function printStep(step: V3Step, comma: string): string {
  const line = fitting(step, width - 4 - comma.length)
  if (line !== undefined) return `    ${line}`
  const { payload, sum, ...head } = step
  const names = Object.entries(head).map(([name, value]) => `"${name}": ${oneLine(value)}`)
  const payloadHead = '      "payload": '
  return [
    `    { ${names.join(', ')},`,
    `${payloadHead}${print(payload, 6, payloadHead.length, 1)},`,
    `      "sum": ${oneLine(sum)} }`,
  ].join('\n')
}

/**
 * @param indent of the line that the value starts on
 * @param used width of that line before the value
 * @param after width of what follows the value on its last line
 */
function print(value: JsonValue, indent: number, used: number, after: number): string {
  const line = fitting(value, width - used - after)
  if (line !== undefined) return line
  if (typeof value !== 'object' || value === null || isNumbers(value) || isEmpty(value)) return oneLine(value)
  const outer = ' '.repeat(indent)
  const inner = ' '.repeat(indent + 2)
  if (specialName(value) === '$lines') {
    const lines = (value as { $lines: string[] }).$lines.map((line) => inner + quoted(line))
    return `{ "$lines": [\n${lines.join(',\n')}\n${outer}] }`
  }
  const entries = Array.isArray(value)
    ? value.map((item): [string, JsonValue] => ['', item])
    : Object.entries(value).map(([name, member]): [string, JsonValue] => [`${quoted(name)}: `, member])
  const lines = entries.map(([head, member], at) => {
    const comma = at < entries.length - 1 ? ',' : ''
    return `${inner}${head}${print(member, indent + 2, inner.length + head.length, comma.length)}${comma}`
  })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${lines.join('\n')}\n${outer}${close}`
}

/** The value on one line, unless it is longer than there is room or holds lines of text. */
function fitting(value: JsonValue, room: number): string | undefined {
  if (typeof value === 'string') {
    if (value.length + 2 > room) return undefined
    return within(quoted(value), room)
  }
  if (typeof value !== 'object' || value === null) return within(JSON.stringify(value), room)
  if (specialName(value) === '$lines') return undefined
  const isArray = Array.isArray(value)
  const entries = isArray ? value.map((item) => ['', item] as const) : Object.entries(value)
  if (entries.length === 0) return within(isArray ? '[]' : '{}', room)
  const [open, close] = isArray ? ['[', ']'] : ['{ ', ' }']
  let line = open
  for (const [name, member] of entries) {
    if (line !== open) line += ', '
    if (!isArray) line += `${quoted(name)}: `
    const text = fitting(member, room - line.length - close.length)
    if (text === undefined) return undefined
    line += text
  }
  return within(line + close, room)
}

const within = (text: string, room: number): string | undefined => (text.length <= room ? text : undefined)

const isNumbers = (value: object): boolean => Array.isArray(value) && value.every((item) => typeof item === 'number')

const isEmpty = (value: object): boolean => Object.keys(value).length === 0

function oneLine(value: JsonValue | undefined): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  const members = Object.entries(value).map(([name, member]) => `${quoted(name)}: ${oneLine(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

/** Characters that change how a line reads without being seen. */
const unseen = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

const quoted = (text: string): string =>
  JSON.stringify(text).replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
