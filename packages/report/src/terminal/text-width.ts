import { escapeInvisible } from '@retake/compare'
import { eastAsianWidth } from 'get-east-asian-width'

const combining = /\p{M}/u

const widthOf = (character: string): number =>
  combining.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0)

/** Columns that a text takes in a terminal. */
export const textWidth = (text: string): number => {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

/** The text, or as much of its beginning as fits, with an ellipsis. */
export const cutText = (text: string, width: number): string => {
  // No character is narrower than nothing, and most are one column: a short text fits without measuring.
  if (text.length * 2 <= width || (text.length <= width * 4 && textWidth(text) <= width)) return text
  const taken = takeWidth(text, width - 1)
  return taken === text ? text : `${taken}…`
}

/** As much of the beginning of a text as fits. */
export const takeWidth = (text: string, width: number): string => {
  let used = 0
  let end = 0
  for (const character of text) {
    used += widthOf(character)
    if (used > width) break
    end += character.length
  }
  return text.slice(0, end)
}

/** A text in lines that fit, broken at spaces where there are some. */
export const wrapText = (text: string, width: number): string[] => {
  const lines: string[] = []
  let rest = text
  // What is that much longer does not fit, and measuring all of it each time would take its square.
  while (rest.length > width * 4 || textWidth(rest) > width) {
    const fitting = takeWidth(rest, width).length
    const space = rest[fitting] === ' ' ? fitting : rest.slice(0, fitting).lastIndexOf(' ')
    // A character wider than all there is has a line of its own.
    const [first = ''] = rest
    const end = space > 0 ? space : Math.max(fitting, first.length)
    lines.push(rest.slice(0, end))
    rest = rest.slice(space > 0 ? end + 1 : end)
  }
  return rest === '' && lines.length > 0 ? lines : [...lines, rest]
}

export const padText = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - textWidth(text)))

/** A text on one line, safe to print: line feeds and tabs as spaces, everything invisible as \u escapes. */
export const toLine = (text: string): string => escapeInvisible(text.replace(/[\n\t]+/g, ' '))
