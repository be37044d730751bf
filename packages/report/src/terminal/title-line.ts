import type { Style } from './style.ts'
import { textWidth } from './text-width.ts'

/** A title with a few facts beside it, or below it where the line is too short. Both are safe to print already. */
export const renderTitle = (title: string, facts: string, style: Style, width: number): string[] =>
  textWidth(title) + 2 + textWidth(facts) <= width
    ? [`${style.title(title)}  ${style.dim(facts)}`]
    : [style.title(title), `  ${style.dim(facts)}`]
