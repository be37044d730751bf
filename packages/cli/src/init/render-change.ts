import { escapeInvisible } from '@retake/compare'
import type { Style } from '@retake/report'
import { structuredPatch } from 'diff'
import type { Step } from './step.ts'

/** A change as lines with `+`, `-` or a blank in front. */
export const renderChange = ({ before = '', after }: Step & { kind: 'change' }, style: Style): string =>
  structuredPatch('', '', endLine(before), endLine(after), undefined, undefined, { context: 1 })
    .hunks.flatMap(({ lines }) => lines)
    .map((line) => paintLine(escapeInvisible(line.replace(/\r$/, '')), style))
    .join('\n')

/** A missing end of the last line is no change to look at. */
const endLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

const paintLine = (line: string, { before, after, dim }: Style): string => {
  if (line.startsWith('+')) return after(line)
  return line.startsWith('-') ? before(line) : dim(line)
}
