import type { Change } from '@retake/compare'
import { isJsonObject, type JsonValue } from '@retake/trace'
import { count } from '../terminal/text-change.ts'

/** A piece of a sentence: our words, or words out of a cassette, which every renderer makes harmless in its way. */
export type Piece = string | { quoted: string }

/** Characters of a quoted value. */
const longestValue = 60
const longestAnswer = 140
const leadIn = 16
const mostCounted = 20_000

/** What a change is, in a few words: `refund.amount 20 → 18.5`, `final answer`, `no longer calls refund`. */
export const toPhrase = (change: Change): Piece[] => {
  const { area, name, kind, before, after } = change
  switch (area) {
    case 'outcome':
      return ['outcome ', ...toValues(before, after)]
    case 'call':
      return [kind === 'added' ? 'also calls ' : 'no longer calls ', named(name)]
    case 'argument':
      return [named(name), ' ', ...toValues(before, after)]
    case 'answer':
      return after === undefined ? ['no final answer'] : ['answers ', quote(after, before, longestAnswer)]
    case 'reply':
      return toReplyPhrase(change)
    case 'attempt':
      return toAttemptPhrase(change)
    case 'model':
      return ['model ', ...toValues(before, after)]
    case 'system':
      return [`system prompt, ${toExtent(change)}`]
    case 'tool':
      return ['tool ', named(name), `, ${toToolExtent(change)}`]
    case 'param':
      return [named(name), ' ', ...toValues(before, after)]
    case 'message':
      return [named(name), ` message${kind === 'changed' ? '' : ` ${kind}`} `, ...toValues(before, after)]
    case 'result':
      return ['result of ', named(name), ' ', ...toValues(before, after)]
    case 'other':
      return [named(name), ' ', ...toValues(before, after)]
  }
}

const toValues = (before: JsonValue | undefined, after: JsonValue | undefined): Piece[] => {
  if (before === undefined) return after === undefined ? [] : ['new: ', quote(after)]
  if (after === undefined) return ['gone: ', quote(before)]
  return [quote(before, after), ' → ', quote(after, before)]
}

/** A value on one line, cut to where it differs from another. */
const quote = (value: JsonValue, other?: JsonValue, longest = longestValue): Piece => {
  const [text, reference] = [toText(value), other === undefined ? undefined : toText(other)]
  if (text.length <= longest) return { quoted: text }
  const start = Math.max(0, Math.min(firstDifference(text, reference) - leadIn, text.length - longest))
  const end = start + longest
  return { quoted: `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}` }
}

/** Texts without quotes but where they would be taken for something else, or could not be seen. */
const toText = (value: JsonValue): string =>
  typeof value === 'string' && value.trim() !== '' && !/^[\d{["]|^(?:true|false|null)$/.test(value)
    ? value
    : JSON.stringify(value)

const firstDifference = (text: string, other: string | undefined): number => {
  if (other === undefined) return 0
  let at = 0
  while (at < text.length && text.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

/** A name out of a cassette, which may be as long as any text. */
const named = (name: string): Piece => ({
  quoted: name.length <= longestValue ? name : `${name.slice(0, longestValue)}…`,
})

const toReplyPhrase = ({ name, before, after }: Change): Piece[] => {
  if (name === 'stop') {
    const word = (stop: JsonValue | undefined): JsonValue => stop ?? 'ordinary end'
    return ['stops ', ...toValues(word(before), word(after))]
  }
  const what = name === 'text' ? 'says beside a call ' : `${name} `
  return after === undefined ? [`no ${name === 'text' ? 'text beside a call' : name}`] : [what, quote(after, before)]
}

const toAttemptPhrase = ({ name, kind, before, after }: Change): Piece[] => {
  if (name !== 'model_error') return [`event ${kind}: `, named(name)]
  const attempt = [after ?? before].filter(isJsonObject)[0]
  const what =
    kind === 'changed' ? 'another failed attempt: ' : `one failed attempt ${kind === 'added' ? 'more' : 'less'}: `
  return [what, named(`${attempt?.status} ${attempt?.kind}`)]
}

const toExtent = ({ kind, before, after }: Change): string => {
  if (kind !== 'changed') return kind === 'added' ? 'new' : 'gone'
  const [ones, others] = [linesOf(before), linesOf(after)]
  if (ones.length + others.length > mostCounted) return 'changed'
  const [only, more] = [countMissing(ones, others), countMissing(others, ones)]
  return count(Math.max(only, more, 1), 'line')
}

const linesOf = (value: JsonValue | undefined): string[] => (typeof value === 'string' ? value.split('\n') : [])

const countMissing = (lines: string[], others: string[]): number => {
  const known = new Set(others)
  return lines.filter((line) => !known.has(line)).length
}

const memberNames: Record<string, string> = { inputSchema: 'input schema' }

const toToolExtent = ({ kind, before, after }: Change): string => {
  if (kind !== 'changed' || !isJsonObject(before) || !isJsonObject(after)) return kind === 'added' ? 'new' : 'gone'
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const changed = members.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  return changed.map((name) => memberNames[name] ?? name).join(', ')
}

/** Phrases as one text for a terminal; who prints it makes it harmless. */
export const joinPhrase = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.quoted)).join('')
