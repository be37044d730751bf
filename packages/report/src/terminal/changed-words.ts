import { escapeInvisible } from '@retake/compare'
import { diffWordsWithSpace } from 'diff'
import type { Style } from './style.ts'
import { takeWidth, textWidth } from './text-width.ts'

/** A piece of a line: in both versions of it, or in one. */
interface Piece {
  text: string
  in: 'both' | 'before' | 'after'
}

/** A piece of one version, with what stands beside it in one of the two. */
interface OwnPiece extends Piece {
  changeBefore: boolean
  changeAfter: boolean
}

// Beyond these, only what two lines have in common at both ends is taken for equal.
const mostEdits = 400
const mostCharacters = 20_000
// Two lines with less than this in common are two lines, not one that changed.
const leastCommon = 0.3

/**
 * Both versions of a line with the changed words marked, each cut to the width around its changes, with as much around
 * them in both.
 */
export const renderChangedWords = (before: string, after: string, style: Style, width: number): [string, string] => {
  const pieces = tellApart(toPieces(before, after))
  const sides = (['before', 'after'] as const).map((side) =>
    toOwnPieces(pieces, side).map(
      (piece): OwnPiece => ({
        ...piece,
        text: piece.in === 'both' ? escapeInvisible(piece.text) : showBlanks(piece.text),
      }),
    ),
  )
  const around = aroundThatFits(sides, width)
  const [old = '', young = ''] = sides.map((own) => renderSide(own, around, style, width))
  return [old, young]
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

const renderSide = (own: OwnPiece[], around: number, style: Style, width: number): string => {
  const isWhole = own.every((piece) => piece.in !== 'both' || piece.text === '')
  const paint = (text: string, at: number) => (own[at]?.in === 'both' || isWhole ? text : markWords(text, style))
  const short = shortenAll(own, around)
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

/** A space beside a changed word is not what changed. */
const markWords = (text: string, { mark }: Style): string => {
  const [, start = '', word = '', end = ''] = /^( ?)(.*?)( ?)$/s.exec(text) ?? []
  return start + mark(word) + end
}

/** What one version of the line is made of; changed words with a mark or white space between them are one change. */
const toOwnPieces = (pieces: Piece[], side: 'before' | 'after'): OwnPiece[] => {
  const own: OwnPiece[] = []
  for (const [at, piece] of pieces.entries()) {
    if (piece.in !== 'both' && piece.in !== side) continue
    const isGap = piece.in === 'both' && gap.test(piece.text) && isChange(pieces[at - 1]) && isChange(pieces[at + 1])
    const kind = isGap ? side : piece.in
    const last = own.at(-1)
    if (last?.in === kind && kind !== 'both') last.text += piece.text
    else own.push({ text: piece.text, in: kind, changeBefore: at > 0, changeAfter: at < pieces.length - 1 })
  }
  return own
}

const gap = /^(?:\s*|[^\p{L}\p{N}])$/u

const isChange = (piece: Piece | undefined): boolean => piece !== undefined && piece.in !== 'both'

const widthOfAll = (texts: string[]): number => texts.reduce((sum, text) => sum + textWidth(text), 0)

/** White space that came or went is shown, since nothing else would. */
const showBlanks = (text: string): string =>
  escapeInvisible(text.trim() === '' ? text.replaceAll(' ', '·') : text).replace(otherBlanks, toEscape)

/** Blanks that look like a space. */
const otherBlanks = /(?! )\p{Zs}/gu

/** Changed words that look the same (a letter with its accent, or followed by one) are escaped, so that they do not. */
const tellApart = (pieces: Piece[]): Piece[] =>
  pieces.map((piece, at) => {
    const other = piece.in === 'before' ? pieces[at + 1] : piece.in === 'after' ? pieces[at - 1] : undefined
    const looksSame = other && other.in !== 'both' && other.text.normalize('NFKC') === piece.text.normalize('NFKC')
    return looksSame ? { ...piece, text: piece.text.replace(/\P{ASCII}/gu, toEscape) } : piece
  })

const toEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const leastAround = 24

/** How much of what did not change may stand on each side of a change, so that both sides fit if they can. */
const aroundThatFits = (sides: OwnPiece[][], width: number): number => {
  const fits = (around: number) => sides.every((own) => widthOfAll(shortenAll(own, around)) <= width)
  if (fits(Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
  let around = Math.max(leastAround, Math.floor(width / 2))
  while (around > leastAround && !fits(around)) around = Math.max(leastAround, around - 4)
  return around
}

const shortenAll = (own: OwnPiece[], around: number): string[] =>
  own.map((piece) => (piece.in === 'both' ? shorten(piece, around) : piece.text))

/** What did not change, cut to what stands next to a change. */
const shorten = ({ text, changeBefore, changeAfter }: OwnPiece, around: number): string => {
  if (around === Number.POSITIVE_INFINITY) return text
  const most = (changeBefore ? around : 0) + (changeAfter ? around : 0)
  if (text.length <= most + 1) return text
  return `${changeBefore ? text.slice(0, around) : ''}…${changeAfter ? text.slice(-around) : ''}`
}
