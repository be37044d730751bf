import { escapeInvisible } from '@retake/compare'

/**
 * A text out of a cassette inside a line of Markdown: as code, where neither Markdown, HTML, mentions, references nor
 * addresses mean anything.
 */
export const toCode = (text: string): string => {
  const line = toPrintable(text)
  if (line.trim() === '') return line === '' ? '(empty)' : '(blank)'
  const fence = '`'.repeat(longestRun(line) + 1)
  const pad = /^[ `]|[ `]$/.test(line) ? ' ' : ''
  return `${fence}${pad}${line}${pad}${fence}`
}

/** A line of Markdown as a cell of a table, where a bar ends a cell even in code. Elsewhere the backslash would be shown. */
export const toCell = (line: string): string => line.replaceAll('|', '\\|')

/** Words that read the same in Markdown, HTML and on a page: no mark-up, mention, reference, address or commit. */
const plain = /^[\p{L}\p{N}][\p{L}\p{N} ,.'›()-]*$/u
const likeLink = /www\.|\p{L}\.\p{L}|[0-9a-f]{7}|\b\p{L}+-\d|^\d+[.)]/iu

const isPlain = (text: string): boolean => text.length <= longest && plain.test(text) && !likeLink.test(text)

const longest = 200

/** One line without what cannot be seen, and no longer than a line may be. */
const toPrintable = (text: string): string => {
  const line = escapeInvisible(text.slice(0, longest).replace(/[\r\n\t]+/g, ' '))
  return text.length > longest ? `${line}…` : line
}

/** A name: plain where it is made of ordinary words, else as code. */
export const toName = (name: string): string => (isPlain(name) ? name : toCode(name))

/** A name between HTML tags, where Markdown does not reach. */
export const toHtmlName = (name: string): string => {
  if (isPlain(name)) return name
  const text = toPrintable(name)
  return `<code>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</code>`
}

/** Lines that are printable already as a block of code, which nothing in them can end. */
export const toFenced = (lines: readonly string[], language: string): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(lines.join('\n')) + 1))
  return `${fence}${language}\n${lines.join('\n')}\n${fence}`
}

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
