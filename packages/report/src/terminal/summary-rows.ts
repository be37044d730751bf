import { type Colors, createColors, getDefaultColors } from 'tinyrainbow'

/** The rows of a summary as the runner above them writes its own. */
export interface SummaryRows {
  colors: Colors
  row(title: string, text: string): string
  /** How many of each kind there are, ready painted, and all together. */
  counts(kinds: readonly string[], total: number): string
  item(word: string, text: string): string
  hint(text: string): string
}

const indent = 13

export const createSummaryRows = (runner: 'vitest' | 'jest', hasColors: boolean): SummaryRows => {
  const colors = hasColors ? createColors({ force: true }) : getDefaultColors()
  const { bold, dim, gray } = colors
  const below = ' '.repeat(indent)
  return {
    colors,
    item: (word, text) => `${below}${dim('↳')} ${word}  ${text}`,
    hint: (text) => `${below}${dim(text)}`,
    ...(runner === 'jest'
      ? {
          row: (title, text) => `${bold(`${title}:`.padEnd(indent))}${text}`,
          counts: (kinds, total) => [...kinds, `${total} total`].join(', '),
        }
      : {
          row: (title, text) => `${dim(title.padStart(indent - 2))}  ${text}`,
          counts: (kinds, total) => kinds.join(dim(' | ')) + (kinds.length > 1 ? ` ${gray(`(${total})`)}` : ''),
        }),
  }
}
