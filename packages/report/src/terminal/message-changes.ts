import { type Aligned, alignMessages, compareValues, type Difference, parsePath } from '@retake/compare'
import type { Message, ModelInput } from '@retake/trace'
import { diffArrays } from 'diff'
import { renderChangedWords } from './changed-words.ts'
import { type MessageRow, roleWidth, toMessageRows } from './message-rows.ts'
import { type BlockOptions, count, renderSigned, renderTextChange } from './text-change.ts'
import { cutText, padText, textWidth, toLine } from './text-width.ts'
import { renderDifferences } from './value-rows.ts'

const nothing = /^(?!)/
const contextBefore = 3
const contextAfter = 1

/**
 * The conversation around its changes, messages numbered from 1, with what one side has more or less. Messages with
 * nothing but differences that were `told` before count as equal.
 */
export const renderMessageChanges = (
  recorded: ModelInput,
  received: ModelInput,
  differences: Difference[],
  options: BlockOptions,
  told: Difference[] = [],
): string[] => {
  const isFresh = createTouch(differences)
  const isTold = createTouch(told)
  const rows = alignMessages(recorded, received)
    .map((row) => ({ ...row, equal: !isFresh(row) && (row.equal || isTold(row)) }))
    // One that is gone, and was told of, has no place among what is there.
    .filter(({ equal, after }) => !equal || after !== undefined)
  const digits = String(Math.max(recorded.messages.length, received.messages.length)).length
  const render = (row: Aligned) => renderRow(row, recorded, received, differences, digits, options)
  const lines: string[] = []
  let folded: Aligned[] = []
  const unfold = (): void => {
    if (folded.length < 2) lines.push(...folded.flatMap(render))
    else lines.push(options.style.dim(`  … ${formatFolded(folded.length, told.length > 0)}`))
    folded = []
  }
  for (const [at, row] of rows.entries()) {
    if (row.equal && !isNearChange(rows, at)) folded.push(row)
    else {
      unfold()
      lines.push(...render(row))
    }
  }
  unfold()
  return lines
}

const formatFolded = (messages: number, someTold: boolean): string =>
  someTold ? `${count(messages, 'message')}, equal or told above` : count(messages, 'equal message')

/** Whether one of the differences is in the messages of a row. */
const createTouch = (differences: Difference[]): ((row: Aligned) => boolean) => {
  const indexes = (removed: boolean): Set<number> =>
    new Set(differences.flatMap(({ path, kind }) => ((kind === 'removed') === removed ? messageIndex(path) : [])))
  const [touched, gone] = [indexes(false), indexes(true)]
  return ({ before, after }) => touched.has(after ?? -1) || gone.has(before ?? -1)
}

const messageIndex = (path: string): number[] => {
  const [area, index] = parsePath(path)
  return area === 'messages' && typeof index === 'number' ? [index] : []
}

const isNearChange = (rows: Aligned[], at: number): boolean =>
  rows.slice(Math.max(0, at - contextAfter), at + contextBefore + 1).some(({ equal }) => !equal)

const renderRow = (
  row: Aligned,
  recorded: ModelInput,
  received: ModelInput,
  differences: Difference[],
  digits: number,
  options: BlockOptions,
): string[] => {
  const before = row.before === undefined ? undefined : recorded.messages[row.before]
  const after = row.after === undefined ? undefined : received.messages[row.after]
  const numbered = (index: number | undefined) => String((index ?? 0) + 1).padStart(digits)
  if (row.equal) return renderWhole(' ', numbered(row.after ?? row.before), after ?? before, options)
  if (!after) return renderWhole('-', numbered(row.before), before, options)
  if (!before) return renderWhole('+', numbered(row.after), after, options)
  const changed = renderChange(before, after, numbered(row.after), options)
  if (changed.length > 0) return changed
  // Nothing that a row shows: which call a result answers, the name of a speaker, the type of a part.
  const own = differences.filter(({ path, kind }) => {
    const [index] = messageIndex(path)
    return index === (kind === 'removed' ? row.before : row.after)
  })
  return [...renderWhole(' ', numbered(row.after), after, options), ...renderDifferences(own, nothing, options)]
}

const label = (number: string, role: string): string => `${number} ${padText(toLine(role), roleWidth)}  `

const renderWhole = (
  sign: '-' | '+' | ' ',
  number: string,
  message: Message | undefined,
  { style, width }: BlockOptions,
): string[] =>
  (message ? toMessageRows(message) : []).map(({ role, text }, nth) => {
    const head = label(nth === 0 ? number : ' '.repeat(number.length), role)
    return renderSigned(sign, cutText(head + toLine(text), width - 2).trimEnd(), style)
  })

/** Changed parts of a message: one line a side, or a block where a text has several lines. */
const renderChange = (before: Message, after: Message, number: string, options: BlockOptions): string[] => {
  const key = ({ role, text }: MessageRow): string => `${role}\n${text}`
  const lines: string[] = []
  let removed: MessageRow[] = []
  const flush = (added: MessageRow[]): void => {
    for (let nth = 0; nth < Math.max(removed.length, added.length); nth++) {
      lines.push(...renderPair(removed[nth], added[nth], number, options))
    }
    removed = []
  }
  const changes = diffArrays(toMessageRows(before), toMessageRows(after), {
    comparator: (one, other) => key(one) === key(other),
  })
  for (const change of changes) {
    if (change.removed) removed = change.value
    else flush(change.added ? change.value : [])
  }
  flush([])
  return lines
}

const renderPair = (
  before: MessageRow | undefined,
  after: MessageRow | undefined,
  number: string,
  options: BlockOptions,
): string[] => {
  const { style, width } = options
  const heads = [label(number, before?.role ?? ''), label(number, after?.role ?? '')] as const
  const room = width - 2 - heads[0].length
  if (!before || !after) {
    const [sign, row] = before ? (['-', before] as const) : (['+', after] as const)
    return row ? [renderSigned(sign, cutText(label(number, row.role) + toLine(row.text), width - 2), style)] : []
  }
  const members = before.role === after.role ? renderMembers(before, after, room, options) : []
  if (members.length > 0) {
    return [
      renderSigned(' ', cutText(heads[1] + toLine(after.json?.title ?? ''), width - 2).trimEnd(), style),
      ...members,
    ]
  }
  if (before.role === after.role && `${before.text}${after.text}`.includes('\n')) {
    return [renderSigned(' ', heads[1].trimEnd(), style), ...renderTextChange(before.text, after.text, options)]
  }
  const [old, young] = renderChangedWords(before.text, after.text, style, room)
  const orEmpty = (text: string): string => (text === '' ? '(empty)' : text)
  return [renderSigned('-', heads[0] + orEmpty(old), style), renderSigned('+', heads[1] + orEmpty(young), style)]
}

/** Structures that do not fit on a line: which members differ, and nothing of those that do not. */
const renderMembers = (before: MessageRow, after: MessageRow, room: number, options: BlockOptions): string[] => {
  if (!before.json || !after.json || before.json.title !== after.json.title) return []
  const fits = [before, after].every(({ text }) => !text.includes('\n') && textWidth(text.slice(0, room * 2)) <= room)
  return fits ? [] : renderDifferences(compareValues(before.json.value, after.json.value), nothing, options)
}
