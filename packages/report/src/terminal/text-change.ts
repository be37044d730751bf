import { alignLists, escapeInvisible, likenessOfTexts } from '@retake/compare'
import { diffArrays } from 'diff'
import { haveWordsInCommon, renderChangedWords } from './changed-words.ts'
import type { Style } from './style.ts'
import { cutText, wrapText } from './text-width.ts'

export interface BlockOptions {
  style: Style
  /** Columns for the whole line, with its sign. */
  width: number
  /** Lines at most; what is left out is counted. */
  most?: number
  /** Lines that are wholly different go on below instead of being cut. [false] */
  wrap?: boolean
}

type Sign = '-' | '+' | ' '

/** A line of a difference: on one side, or on both. */
export interface SignedLine {
  sign: Sign
  text: string
}

const context = 2
const mostEdits = 2_000
const mostPairs = 10_000

/** A line of a difference: its sign, and its text in the colour of its side. */
export const renderSigned = (sign: Sign, text: string, style: Style): string => {
  if (sign === ' ') return style.dim(`  ${text}`.trimEnd())
  return style[sign === '-' ? 'before' : 'after'](`${sign} ${text}`)
}

/** A changed text as lines of a difference, changed words marked, with two lines around them. */
export const renderTextChange = (before: string, after: string, options: BlockOptions): string[] => {
  const { style, width, most } = options
  const lines = toLineEndChange(before, after) ?? toTextChange(before, after, { ...options, width: width - 2 })
  return limitLines(
    lines.map(({ sign, text }) => renderSigned(sign, text, style)),
    most,
    style,
  )
}

/** `renderTextChange` before the signs and their colours; `width` is that of the texts alone, and `most` means nothing. */
export const toTextChange = (before: string, after: string, options: BlockOptions): SignedLine[] => {
  const lines = toLines(splitLines(before), splitLines(after))
  const shown = lines.map((_, index) => isNearChange(lines, index))
  return toBlocks(lines, shown).flatMap((block) => [
    ...(block.skipped > 0 ? signed(' ', [`… ${count(block.skipped, 'equal line')}`]) : []),
    ...toBlockLines(block.lines, options),
  ])
}

/** Two texts that differ in nothing but how their lines end: every line would be another, and look the same. */
const toLineEndChange = (before: string, after: string): SignedLine[] | undefined => {
  if (before.replaceAll('\r\n', '\n') !== after.replaceAll('\r\n', '\n')) return undefined
  return [
    { sign: '-', text: `(lines end with ${lineEndsOf(before)})` },
    { sign: '+', text: `(lines end with ${lineEndsOf(after)})` },
  ]
}

const lineEndsOf = (text: string): string => {
  if (!text.includes('\r\n')) return 'LF'
  return /(?<!\r)\n/.test(text) ? 'CRLF and LF' : 'CRLF'
}

/** The first lines, and how many are left. */
export const limitLines = (lines: string[], most: number | undefined, style: Style): string[] => {
  if (most === undefined || lines.length <= most) return lines
  const kept = lines.slice(0, Math.max(1, most - 1))
  return [...kept, style.dim(`  … ${count(lines.length - kept.length, 'more line')}`)]
}

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** No text is no line, so that a text put where there was none is only added. */
const splitLines = (text: string): string[] => (text === '' ? [] : text.split('\n'))

const toLines = (before: string[], after: string[]): SignedLine[] => {
  const changes = diffArrays(before, after, { maxEditLength: mostEdits })
  if (!changes) return [...signed('-', before), ...signed('+', after)]
  return changes.flatMap(({ value, added, removed }) => signed(added ? '+' : removed ? '-' : ' ', value))
}

const signed = (sign: Sign, texts: string[]): SignedLine[] => texts.map((text) => ({ sign, text }))

const isNearChange = (lines: SignedLine[], index: number): boolean =>
  lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' ')

interface Block {
  /** Equal lines left out before this block. */
  skipped: number
  lines: SignedLine[]
}

const toBlocks = (lines: SignedLine[], shown: boolean[]): Block[] => {
  const blocks: Block[] = []
  let skipped = 0
  for (const [index, line] of lines.entries()) {
    if (!shown[index]) skipped++
    else if (skipped > 0 || blocks.length === 0) {
      blocks.push({ skipped, lines: [line] })
      skipped = 0
    } else blocks.at(-1)?.lines.push(line)
  }
  return blocks
}

const toBlockLines = (lines: SignedLine[], options: BlockOptions): SignedLine[] => {
  const shown: SignedLine[][] = []
  for (let at = 0; at < lines.length; ) {
    const removed = takeRun(lines, at, '-')
    const added = takeRun(lines, at + removed.length, '+')
    if (removed.length + added.length === 0) {
      shown.push(signed(' ', [cutText(escapeInvisible(lines[at]?.text ?? ''), options.width)]))
      at++
    } else {
      shown.push(toChange(removed, added, options))
      at += removed.length + added.length
    }
  }
  return shown.flat()
}

const takeRun = (lines: SignedLine[], from: number, sign: Sign): string[] => {
  let end = from
  while (lines[end]?.sign === sign) end++
  return lines.slice(from, end).map(({ text }) => text)
}

const toChange = (removed: string[], added: string[], { style, width, wrap }: BlockOptions): SignedLine[] => {
  const alone = (text: string): string[] =>
    wrap === true && text !== '' ? wrapText(escapeInvisible(text), width) : [renderAlone(text, width)]
  const [olds, news] = [removed.map(alone), added.map(alone)]
  // Only to mark words: the lines stay in their order.
  const isFew = removed.length * added.length <= mostPairs
  const pairs = isFew ? alignLists(removed, added, { equal: () => false, likeness: likenessOfTexts }) : []
  for (const { before, after } of pairs) {
    if (before === undefined || after === undefined) continue
    const [one, other] = [removed[before], added[after]]
    if (!one || !other || (wrap === true && !haveWordsInCommon(one, other))) continue
    const [old, young] = renderChangedWords(one, other, style, width)
    olds[before] = [old]
    news[after] = [young]
  }
  return [...signed('-', olds.flat()), ...signed('+', news.flat())]
}

/** A text that only one side has. */
export const renderWholeText = (sign: '-' | '+', text: string, { style, width, most }: BlockOptions): string[] =>
  limitLines(
    text.split('\n').map((line) => renderSigned(sign, renderAlone(line, width - 2), style)),
    most,
    style,
  )

const renderAlone = (text: string, width: number): string =>
  text === '' ? '(empty line)' : cutText(escapeInvisible(text), width)
