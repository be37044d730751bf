import { escapeInvisible } from '@retake/compare'
import { diffWordsWithSpace } from 'diff'
import type { Style } from './style.ts'
import { takeWidth, textWidth } from './text-width.ts'

/** A piece of a line: in both versions of it, or in one. */
interface Piece {
  text: string
  in: 'both' | 'before' | 'after'
}

// Beyond these, only what two lines have in common at both ends is taken for equal.
const mostEdits = 400
const mostCharacters = 20_000
// Two lines with less than this in common are two lines, not one that changed.
const leastCommon = 0.3

/** Both versions of a line with the changed words marked, each cut to the width around its changes. */
export const renderChangedWords = (before: string, after: string, style: Style, width: number): [string, string] => {
  const pieces = toPieces(before, after)
  return [renderSide(pieces, 'before', style, width), renderSide(pieces, 'after', style, width)]
}

/** Whether two lines are versions of one, with words marked, and not just two lines. */
export const haveWordsInCommon = (before: string, after: string): boolean =>
  toPieces(before, after).some((piece) => piece.in === 'both' && piece.text !== '')

const toPieces = (before: string, after: string): Piece[] => {
  const isShort = before.length + after.length <= mostCharacters
  const changes = isShort ? diffWordsWithSpace(before, after, { maxEditLength: mostEdits }) : undefined
  const pieces: Piece[] = changes
    ? changes.map(({ value, added, removed }) => ({ text: value, in: added ? 'after' : removed ? 'before' : 'both' }))
    : aroundMiddle(before, after)
  const common = pieces.reduce((sum, piece) => sum + (piece.in === 'both' ? piece.text.trim().length : 0), 0)
  return common >= leastCommon * Math.min(before.trim().length, after.trim().length)
    ? pieces
    : [
        { text: before, in: 'before' },
        { text: after, in: 'after' },
      ]
}

const aroundMiddle = (before: string, after: string): Piece[] => {
  const shortest = Math.min(before.length, after.length)
  let head = 0
  while (head < shortest && before[head] === after[head]) head++
  let tail = 0
  while (tail < shortest - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  return [
    { text: before.slice(0, head), in: 'both' },
    { text: before.slice(head, before.length - tail), in: 'before' },
    { text: after.slice(head, after.length - tail), in: 'after' },
    { text: before.slice(before.length - tail), in: 'both' },
  ]
}

const renderSide = (pieces: Piece[], side: 'before' | 'after', style: Style, width: number): string => {
  const own = toOwnPieces(pieces, side)
  const isWhole = !own.some((piece) => piece.in === 'both' && piece.text !== '')
  const texts = own.map((piece) => (piece.in === 'both' ? escapeInvisible(piece.text) : showBlanks(piece.text)))
  const paint = (text: string, at: number) => (own[at]?.in === 'both' || isWhole ? text : style.mark(text))
  if (widthOfAll(texts) <= width) return texts.map(paint).join('')
  const short = texts.map((text, at) => (own[at]?.in === 'both' ? shorten(text, at > 0, at < own.length - 1) : text))
  if (widthOfAll(short) <= width) return short.map(paint).join('')
  let left = width - 1
  const kept = short.map((text) => {
    const part = takeWidth(text, left)
    left -= textWidth(part)
    if (part !== text) left = 0
    return part
  })
  return `${kept.map(paint).join('')}…`
}

/** What one version of the line is made of; changed words with nothing but white space between them are one change. */
const toOwnPieces = (pieces: Piece[], side: 'before' | 'after'): Piece[] => {
  const own: Piece[] = []
  for (const [at, piece] of pieces.entries()) {
    if (piece.in !== 'both' && piece.in !== side) continue
    const isGap =
      piece.in === 'both' && piece.text.trim() === '' && isChange(pieces[at - 1]) && isChange(pieces[at + 1])
    const kind = isGap ? side : piece.in
    const last = own.at(-1)
    if (last?.in === kind) last.text += piece.text
    else own.push({ text: piece.text, in: kind })
  }
  return own
}

const isChange = (piece: Piece | undefined): boolean => piece !== undefined && piece.in !== 'both'

const widthOfAll = (texts: string[]): number => texts.reduce((sum, text) => sum + textWidth(text), 0)

/** White space that came or went is shown, since nothing else would. */
const showBlanks = (text: string): string => escapeInvisible(text.trim() === '' ? text.replaceAll(' ', '·') : text)

const besideChange = 24

/** What did not change, cut to what stands next to a change. */
const shorten = (text: string, changeBefore: boolean, changeAfter: boolean): string => {
  const most = (changeBefore ? besideChange : 0) + (changeAfter ? besideChange : 0)
  if (text.length <= most + 1) return text
  return `${changeBefore ? text.slice(0, besideChange) : ''}…${changeAfter ? text.slice(-besideChange) : ''}`
}
