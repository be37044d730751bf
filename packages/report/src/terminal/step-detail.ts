import { escapeInvisible } from '@retake/compare'
import type { StepExtras, TraceStep } from '@retake/trace'
import { formatTime } from './format-time.ts'
import { formatContent, formatKind } from './step-line.ts'
import type { Style } from './style.ts'
import { cutText, toLine } from './text-width.ts'

export interface StepDetailOptions {
  step: TraceStep
  /** What the cassette keeps beside the step. */
  extras?: Omit<StepExtras, 'step'> | undefined
  style: Style
  /** Of what is cut; the payload never is. [100] */
  width?: number
}

/** One step with its whole payload. */
export const renderStepDetail = ({ step, extras, style, width = 100 }: StepDetailOptions): string => {
  const { index, id, timestamp, hash, prevHash, payload } = step
  const rows: [string, string][] = [
    ['about', formatContent(step)],
    ['id', id],
    ['time', formatTime(timestamp)],
    ['hash', hash],
    ['after', prevHash ?? 'nothing: it is the first'],
    ...(extras ? [['beside', JSON.stringify(extras)] satisfies [string, string]] : []),
  ]
  return [
    style.title(`step ${index}  ${formatKind(step)}`),
    ...rows.map(([label, text]) => `  ${style.dim(label.padEnd(6))}  ${cutText(toLine(text), width - 10)}`),
    '',
    ...JSON.stringify(payload, null, 2).split('\n').map(escapeInvisible),
  ].join('\n')
}
