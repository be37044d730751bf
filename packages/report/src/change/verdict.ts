import type { BeforeAfter, CassetteComparison, ConversationChange } from '@retake/compare'
import { count } from '../terminal/text-change.ts'

/** What changed between two sides, as far as renderers need to know. */
export interface ChangeReport extends CassetteComparison {
  /** The sides, as people call them: `main (3f2a1c9)`, `working tree`. */
  base: string
  head: string
  /** Cassettes that cannot be read, or do not verify. */
  broken: { file: string; problem: string }[]
}

export const actsDifferently = ({ behavior }: ConversationChange): boolean => behavior.length > 0

/** The one sentence that comes first; a cassette that cannot be read does not hide what the others tell. */
export const toVerdict = (report: ChangeReport): string => {
  const { conversations, broken } = report
  if (broken.length === 0) return toChangeVerdict(report)
  const unread = `${count(broken.length, 'cassette')} cannot be read`
  return conversations.length === 0 ? unread : `${unread}; ${toChangeVerdict(report)}`
}

const toChangeVerdict = ({ conversations, unchanged }: ChangeReport): string => {
  const total = conversations.length + unchanged
  const of = `of ${count(total, 'conversation')}`
  if (conversations.length === 0) return total === 0 ? 'there is no cassette' : 'no conversation changed'
  const acting = conversations.filter(actsDifferently).length
  if (acting > 0) return `the agent acts differently in ${acting} ${of}`
  const changed = conversations.filter(({ kind }) => kind === 'changed').length
  if (changed > 0) return `${changed} ${of} changed, the agent acts as before`
  return toList(conversations)
}

const words = { added: 'new', removed: 'gone', moved: 'moved', changed: 'changed' } as const

const wordOf = ({ kind, problemBefore }: ConversationChange): string =>
  problemBefore === undefined ? words[kind] : 'readable again'

/** `2 new, 1 gone` */
const toList = (conversations: readonly ConversationChange[]): string =>
  [...Map.groupBy(conversations, wordOf)]
    .map(([word, own], nth) => `${nth === 0 ? count(own.length, 'conversation') : own.length} ${word}`)
    .join(', ')

/** `3`, `3 → 4` */
export const formatBoth = ({ before, after }: BeforeAfter): string => {
  if (before === undefined || after === undefined) return String(after ?? before ?? '')
  return before === after ? String(after) : `${before} → ${after}`
}

/** The difference, `+310`; one side alone as it is. */
export const formatDelta = ({ before, after }: BeforeAfter): string => {
  if (before === undefined || after === undefined) return String(after ?? before ?? '')
  const delta = after - before
  return delta === 0 ? '±0' : `${delta > 0 ? '+' : '−'}${Math.abs(delta)}`
}

export const signs = { changed: '~', added: '+', removed: '−', moved: '→' } as const
