import { toConversation } from '@retake/compare'
import type { Trace } from '@retake/trace'
import { toUtteranceRow, type UtteranceRow } from '../conversation/utterance-row.ts'
import { roleWidth } from './message-rows.ts'
import type { Style } from './style.ts'
import { count } from './text-change.ts'
import { cutText, padText, toLine } from './text-width.ts'

export interface ConversationOptions {
  style: Style
  /** [100] */
  width?: number
  /** Lines at most; what is left out in the middle is counted. [all] */
  most?: number
}

/** A run as a conversation, a line a step: what was said, asked for, returned, and how it ended. */
export const renderConversation = (trace: Trace, { style, width = 100, most }: ConversationOptions): string => {
  const lines = toRows(trace).map(({ role, text }) =>
    renderLine(style.dim(padText(toLine(role), roleWidth)), cutText(toLine(text), width - roleWidth - 2), role, style),
  )
  return fold(lines, most, style).join('\n')
}

const renderLine = (label: string, text: string, role: string, style: Style): string =>
  `${label}  ${role === 'error' ? style.bad(text) : text}`.trimEnd()

const fold = (lines: string[], most: number | undefined, style: Style): string[] => {
  if (most === undefined || lines.length <= most) return lines
  const head = Math.max(1, Math.floor((most - 1) / 2))
  const tail = Math.max(0, most - 1 - head)
  const hidden = lines.length - head - tail
  return [...lines.slice(0, head), style.dim(`… ${count(hidden, 'more line')}`), ...lines.slice(lines.length - tail)]
}

/** Settings other than the prompt, and what the model thought, are not shown here. */
const toRows = (trace: Trace): UtteranceRow[] =>
  toConversation(trace).flatMap((utterance) => {
    if (utterance.kind === 'setting' && (utterance.name !== 'systemPrompt' || utterance.value === null)) return []
    return utterance.kind === 'said' && utterance.type === 'reasoning' ? [] : [toUtteranceRow(utterance)]
  })
