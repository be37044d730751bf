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

interface Line {
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
  const { style, most } = options
  const lines = toLines(splitLines(before), splitLines(after))
  const shown = lines.map((_, index) => isNearChange(lines, index))
  const rendered = toBlocks(lines, shown).flatMap((block) => [
    ...(block.skipped > 0 ? [style.dim(`  … ${count(block.skipped, 'equal line')}`)] : []),
    ...renderBlock(block.lines, { ...options, width: options.width - 2 }),
  ])
  return limitLines(rendered, most, style)
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

const toLines = (before: string[], after: string[]): Line[] => {
  const changes = diffArrays(before, after, { maxEditLength: mostEdits })
  if (!changes) return [...signed('-', before), ...signed('+', after)]
  return changes.flatMap(({ value, added, removed }) => signed(added ? '+' : removed ? '-' : ' ', value))
}

const signed = (sign: Sign, texts: string[]): Line[] => texts.map((text) => ({ sign, text }))

const isNearChange = (lines: Line[], index: number): boolean =>
  lines.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' ')

interface Block {
  /** Equal lines left out before this block. */
  skipped: number
  lines: Line[]
}

const toBlocks = (lines: Line[], shown: boolean[]): Block[] => {
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

const renderBlock = (lines: Line[], options: BlockOptions): string[] => {
  const { style, width } = options
  const rendered: string[][] = []
  for (let at = 0; at < lines.length; ) {
    const removed = takeRun(lines, at, '-')
    const added = takeRun(lines, at + removed.length, '+')
    if (removed.length + added.length === 0) {
      rendered.push([renderSigned(' ', cutText(escapeInvisible(lines[at]?.text ?? ''), width), style)])
      at++
    } else {
      rendered.push(renderChange(removed, added, options))
      at += removed.length + added.length
    }
  }
  return rendered.flat()
}

const takeRun = (lines: Line[], from: number, sign: Sign): string[] => {
  let end = from
  while (lines[end]?.sign === sign) end++
  return lines.slice(from, end).map(({ text }) => text)
}

const renderChange = (removed: string[], added: string[], { style, width, wrap }: BlockOptions): string[] => {
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
  return [
    ...olds.flat().map((text) => renderSigned('-', text, style)),
    ...news.flat().map((text) => renderSigned('+', text, style)),
  ]
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
