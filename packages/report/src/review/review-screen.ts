import type { Change, ConversationChange } from '@retake/compare'
import { formatBoth, formatDelta } from '../change/verdict.ts'
import { renderConversationDifference } from '../conversation/conversation-difference.ts'
import type { Style } from '../terminal/style.ts'
import { count } from '../terminal/text-change.ts'
import { cutText, toLine } from '../terminal/text-width.ts'
import { renderTitle } from '../terminal/title-line.ts'
import { formatChange, renderPhrases } from './change-overview.ts'

export interface ReviewScreenOptions {
  /** Place in the row of what is reviewed, from 1. */
  position: number
  total: number
  file: string
  /** Absent where both sides say the same, or one cannot be read. */
  change?: ConversationChange | undefined
  /** Why it cannot be accepted. */
  problem?: string | undefined
  /** Whether texts are shown as a whole, and what is equal too. */
  full: boolean
  style: Style
  width: number
  /** Lines of the terminal. */
  height: number
}

const linesForTheRest = 16
const fewestLines = 8
const mostCauses = 4

/** One change as a conversation: what the agent does first, then why, then who says what. */
export const renderReviewScreen = (options: ReviewScreenOptions): string => {
  const { position, total, file, change, problem, full, style, width, height } = options
  const name = cutText(toLine((change?.name ?? '').slice(0, 400)), width - 16)
  const lines = change
    ? renderConversationDifference(change.conversation, {
        style,
        width: full ? Number.POSITIVE_INFINITY : width - 2,
        fold: !full,
        ...(!full && { most: Math.max(fewestLines, height - linesForTheRest) }),
      })
    : []
  return [
    '',
    ...(change
      ? renderTitle(`Review ${position}/${total}  ${name}`, formatFacts(change), style, width)
      : [style.title(`Review ${position}/${total}`)]),
    style.dim(toLine(file)),
    ...(problem === undefined
      ? []
      : ['', `  ${style.bad(cutText(`cannot be accepted: ${toLine(problem)}`, width - 2))}`]),
    ...(change ? ['', ...renderSummary(change, style, width)] : []),
    ...(lines.length > 0 ? ['', ...lines.map((line) => `  ${line}`)] : []),
    '',
  ].join('\n')
}

const formatFacts = ({ kind, modelCalls, tokens }: ConversationChange): string =>
  [
    ...(kind === 'changed' ? [] : [kind]),
    `${formatBoth(modelCalls)} ${modelCalls.after === 1 ? 'request' : 'requests'}`,
    ...(Object.keys(tokens).length > 0 ? [`${formatDelta(tokens)} tokens`] : []),
  ].join(', ')

const renderSummary = (change: ConversationChange, style: Style, width: number): string[] => {
  const { requests } = change
  const causes = requests.slice(0, mostCauses).map((cause: Change) => `cause: ${formatChange(cause)}`)
  const more = requests.length > mostCauses ? [`… ${count(requests.length - mostCauses, 'more cause')}`] : []
  return [
    ...renderPhrases(change).map((line) => `  ${style.title(cutText(line, width - 2))}`),
    ...[...causes, ...more].map((line) => `  ${cutText(line, width - 2)}`),
  ]
}
