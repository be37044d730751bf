import { type Difference, formatDifference, type OutcomeDiff } from '@retake/compare'
import type { Style } from './style.ts'
import { count } from './text-change.ts'
import { cutText, toLine } from './text-width.ts'

export interface FormatDiffOptions {
  /** As the user named them. */
  first: string
  second: string
  /** Whose rules they were compared by: `stepfork`. */
  format: string
  differences: readonly (Difference & { step: number })[]
  outcome: OutcomeDiff
  style: Style
  width: number
}

/** Two files of one format that is not retake's own: each difference by the rules of that format. */
export const renderFormatDiff = (options: FormatDiffOptions): string => {
  const { first, second, format, differences, outcome, style, width } = options
  const steps = Map.groupBy(differences, ({ step }) => step)
  const what =
    steps.size === 0 ? 'no difference' : `${count(steps.size, 'step')} ${steps.size === 1 ? 'differs' : 'differ'}`
  return [
    style.before(cutText(`--- ${toLine(first)}`, width)),
    style.after(cutText(`+++ ${toLine(second)}`, width)),
    '',
    `  steps    ${what} (by the rules of ${format})`,
    `  outcome  ${outcome.verdict}`,
    ...[...steps].flatMap(([step, changes]) => [
      '',
      `  ${style.title(`step ${step}`)}`,
      ...changes.map((change) => cutText(`    ${formatDifference(change)}`, width)),
    ]),
  ].join('\n')
}
