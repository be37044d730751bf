import type { Cause, Change, ConversationChange } from '@retake/compare'
import { escapeInvisible } from '@retake/compare'
import { joinPhrase, toPhrase } from '../change/phrase.ts'
import { type ChangeReport, formatBoth, formatDelta, signs, toVerdict } from '../change/verdict.ts'
import { toChangeLines } from '../conversation/conversation-difference.ts'
import { layOut } from '../conversation/utterance-text.ts'
import type { Style } from '../terminal/style.ts'
import { count, renderSigned } from '../terminal/text-change.ts'
import { cutText, toLine, wrapText } from '../terminal/text-width.ts'
import { renderTitle } from '../terminal/title-line.ts'

export interface ChangeOverviewOptions {
  style: Style
  /** [100] */
  width?: number
}

const mostPhrases = 6
const mostQuiet = 3

/** What changed between two sides, for a terminal: the verdict, a few lines a conversation, then the causes. */
export const renderChangeOverview = (report: ChangeReport, options: ChangeOverviewOptions): string => {
  const { base, head, broken, conversations, causes, unchanged } = report
  const { style, width = 100 } = options
  const verdict = toVerdict(report)
  return [
    ...renderTitle(`retake: ${verdict}`, toLine(`${base} → ${head}`), style, width),
    ...broken.flatMap(({ file, problem }) => [
      style.bad(`  ✗ ${toLine(file)}`),
      ...wrapText(toLine(problem), width - 4).map((line) => `    ${line}`),
    ]),
    ...(conversations.length > 0 ? [''] : []),
    ...renderConversations(conversations, options),
    ...causes.flatMap((cause) => ['', ...renderCause(cause, conversations, options)]),
    ...(conversations.length > 0 ? ['', style.dim(`  ${unchanged} unchanged`)] : []),
  ].join('\n')
}

/** Many that act as before are a line each, so that they do not push the causes off the screen. */
const renderConversations = (
  conversations: readonly ConversationChange[],
  options: ChangeOverviewOptions,
): string[] => {
  const quiet = conversations.filter(isQuiet)
  if (quiet.length <= mostQuiet) return conversations.flatMap((change) => renderConversationChange(change, options))
  const { style, width = 100 } = options
  return [
    ...conversations
      .filter((change) => !isQuiet(change))
      .flatMap((change) => renderConversationChange(change, options)),
    `  ${signs.changed} ${style.title(`${quiet.length} act as before`)}; only what they are asked changed`,
    ...quiet.map(({ file }) => `      ${style.dim(cutText(toLine(file), width - 6))}`),
  ]
}

const isQuiet = ({ kind, behavior, from }: ConversationChange): boolean =>
  kind === 'changed' && behavior.length === 0 && from === undefined

const renderConversationChange = (change: ConversationChange, { style, width = 100 }: ChangeOverviewOptions) => {
  const { name, file, kind, modelCalls, tokens } = change
  const facts = [
    `${formatBoth(modelCalls)} ${modelCalls.after === 1 ? 'request' : 'requests'}`,
    ...(Object.keys(tokens).length > 0 ? [`${formatDelta(tokens)} tokens`] : []),
  ].join(', ')
  const room = width - facts.length - 6
  return [
    `  ${signs[kind]} ${style.title(cutText(toLine(name.slice(0, 400)), room))}  ${style.dim(facts)}`,
    ...renderPhrases(change).map((line) => `      ${cutText(line, width - 6)}`),
    `      ${style.dim(escapeInvisible(file))}`,
  ]
}

/** What a conversation does differently, a line each. */
export const renderPhrases = ({ kind, behavior, from, problemBefore }: ConversationChange): string[] => {
  if (problemBefore !== undefined) return [`could not be read before: ${toLine(problemBefore)}`]
  const moved = from === undefined ? [] : [`moved from ${toLine(from)}`]
  if (kind !== 'changed') return moved
  const phrases = behavior.slice(0, mostPhrases).map(formatChange)
  const more = behavior.length > mostPhrases ? [`… ${count(behavior.length - mostPhrases, 'more change')}`] : []
  return [...(phrases.length > 0 ? phrases : ['acts as before; only what it is asked changed']), ...more, ...moved]
}

/** A change in a few words, safe to print. */
export const formatChange = (change: Change): string => toLine(joinPhrase(toPhrase(change)))

const shownAreas = new Set(['system', 'tool', 'message', 'result'])

const renderCause = (
  { change, conversations: reached }: Cause,
  all: readonly ConversationChange[],
  { style, width = 100 }: ChangeOverviewOptions,
): string[] => {
  const where = all.length === 1 ? '' : `  ${style.dim(`in ${count(reached.length, 'conversation')}`)}`
  const lines = shownAreas.has(change.area)
    ? toChangeLines(
        change.before === undefined ? undefined : layOut(change.before),
        change.after === undefined ? undefined : layOut(change.after),
        { style, width: width - 4 },
      )
    : []
  return [
    `  ${style.title('Cause')}  ${cutText(formatChange(change), width - 30)}${where}`,
    ...lines.map(({ sign, text }) => `    ${renderSigned(sign, text, style)}`),
  ]
}
