import type { Cause, ConversationChange } from '@retake/compare'
import type { JsonValue } from '@retake/trace'
import { type Piece, toPhrase } from '../change/phrase.ts'
import { type ChangeReport, formatBoth, formatDelta, signs, toVerdict } from '../change/verdict.ts'
import { renderConversationDifference, toChangeLines } from '../conversation/conversation-difference.ts'
import { layOut } from '../conversation/utterance-text.ts'
import { createStyle } from '../terminal/style.ts'
import { count, renderSigned } from '../terminal/text-change.ts'
import { toCell, toCode, toFenced, toHtmlName, toName } from './inert-markdown.ts'

export interface MarkdownReportOptions {
  /** Tells the comments of several packages apart. */
  id?: string
  /** Characters at most; GitHub takes 65,536. [60,000] */
  most?: number
  /** Address of a cassette as it is now, for the name of its conversation. */
  linkTo?: ((file: string) => string) | undefined
}

const defaultMost = 60_000
const mostPhrases = 4
const mostDetailLines = 60
const width = 100
const style = createStyle()

/** The comment of a pull request: the verdict, a row a conversation, a paragraph a cause, folded conversations. */
export const renderMarkdownReport = (
  report: ChangeReport,
  { id, most = defaultMost, linkTo }: MarkdownReportOptions = {},
): string => {
  const { conversations, causes, broken } = report
  const head = [
    formatMarker(id),
    `### retake: ${toVerdict(report)}`,
    ...takeFitting(
      broken.map(({ file, problem }) => `- ${toCode(file)}: ${toCode(problem)}`),
      most / 12,
      'cassette',
    ),
    ...(conversations.length > 0 ? [renderTable(conversations, most / 3, linkTo)] : []),
    ...takeFitting(
      causes.map((cause) => renderCause(cause, conversations)),
      most / 3,
      'cause',
    ),
  ]
  const foot = renderFoot(report)
  const room = most - toDocument([...head, foot]).length - 100
  const details = takeFitting(conversations.flatMap(renderDetail), room, 'conversation')
  return toDocument([...head, ...details, foot])
}

const toDocument = (parts: readonly string[]): string => `${parts.join('\n\n')}\n`

/** As many from the first on as have room, and how many have not. */
const takeFitting = (parts: readonly string[], room: number, noun: string): string[] => {
  let size = 0
  const kept = parts.filter((part) => {
    size += part.length + 2
    return size <= room
  })
  const left = parts.length - kept.length
  return left === 0 ? kept : [...kept, `… ${count(left, `more ${noun}`)}: no room here, see \`npx retake report\``]
}

/** The comment that is edited again and again is found by this line. */
const formatMarker = (id: string | undefined): string =>
  `<!-- retake:summary${!id ? '' : `:${id.replace(/[^\w./@-]+/g, '-').replace(/-+/g, '-')}`} -->`

const renderTable = (
  conversations: readonly ConversationChange[],
  room: number,
  linkTo: MarkdownReportOptions['linkTo'],
): string => {
  const rows = conversations.map((conversation) => {
    const { kind, name, file, modelCalls, tokens } = conversation
    const title = linkTo && kind !== 'removed' ? `[${toName(name)}](${linkTo(file)})` : toName(name)
    const cells = [signs[kind], title, formatWhat(conversation), formatBoth(modelCalls), formatDelta(tokens)]
    return `| ${cells.map(toCell).join(' | ')} |`
  })
  const [last = '', ...others] = takeFitting(rows, room, 'conversation').reverse()
  return [
    '| | conversation | what the agent does differently | requests | tokens |',
    '|:-:|---|---|---:|---:|',
    ...others.reverse(),
    last.startsWith('…') ? `\n${last}` : last,
  ].join('\n')
}

const formatWhat = ({ kind, behavior, from, problemBefore }: ConversationChange): string => {
  if (problemBefore !== undefined) return `could not be read before: ${toCode(problemBefore)}`
  if (kind === 'added') return 'new'
  if (kind === 'removed') return 'gone'
  const moved = from === undefined ? [] : [`moved from ${toCode(from)}`]
  if (kind === 'moved') return moved.join('')
  const phrases = behavior.slice(0, mostPhrases).map((change) => formatPhrase(toPhrase(change)))
  const more = behavior.length > mostPhrases ? [`… ${behavior.length - mostPhrases} more`] : []
  return [...(phrases.length > 0 ? phrases : ['nothing: only what it is asked']), ...more, ...moved].join('<br>')
}

const formatPhrase = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : toCode(piece.quoted))).join('')

const namedConversations = 3

const renderCause = ({ change, conversations: reached }: Cause, all: readonly ConversationChange[]): string => {
  const names = reached.slice(0, namedConversations).map((index) => toName(all[index]?.name ?? ''))
  const more = reached.length > namedConversations ? `, … (${reached.length})` : ''
  const where =
    all.length === 1 ? '' : reached.length === all.length ? `, in all ${all.length}` : `, in ${names.join(', ')}${more}`
  const title = `**Cause:** ${formatPhrase(toPhrase(change))}${where}`
  if (!['system', 'tool', 'message', 'result'].includes(change.area)) return title
  const lines = toChangeLines(toLaidOut(change.before), toLaidOut(change.after), { style, width, lines: 'wrap' })
  return `${title}\n\n${toFenced(
    lines.map(({ sign, text }) => renderSigned(sign, text, style)),
    'diff',
  )}`
}

const toLaidOut = (value: JsonValue | undefined): string | undefined =>
  value === undefined ? undefined : layOut(value)

const renderDetail = ({ conversation, name, kind }: ConversationChange): string[] => {
  // A prompt that changed is told as a cause.
  const isTold = conversation.every(({ equal, before, after }) => equal || (after ?? before)?.kind === 'setting')
  if (kind !== 'changed' || isTold) return []
  const lines = renderConversationDifference(conversation, {
    style,
    width,
    most: mostDetailLines,
    settings: 'name',
    lines: 'wrap',
  })
  return [`<details><summary>${toHtmlName(name)}</summary>\n\n${toFenced(lines, 'diff')}\n\n</details>`]
}

const renderFoot = ({ base, head, unchanged, conversations, broken }: ChangeReport): string =>
  [
    ...(conversations.length > 0 ? [`${unchanged} unchanged`] : [count(unchanged, 'conversation')]),
    ...(conversations.length > 0 && broken.length === 0 ? ['every changed cassette verifies'] : []),
    `${toName(base)} → ${toName(head)}`,
  ].join(' · ')
