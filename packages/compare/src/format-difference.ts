import type { JsonValue } from '@retake/trace'
import type { Difference } from './difference.ts'

const most = 200
const lead = 40

// What a terminal acts on or does not show: C0, C1, bidi and zero-width characters, line separators, tags, lone
// surrogates, fillers and the variation selectors that no emoji uses.
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]|[\u034f\ufe00-\ufe0d\u{e0100}-\u{e01ef}]/gu

const named: Record<string, string> = { '\t': '\\t', '\r': '\\r', '\n': '\\n' }

const escapeCharacter = (character: string): string =>
  named[character] ??
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** A text with control, bidi, zero-width and other invisible characters as escapes (`\t`, `\u200b`): safe to print. */
export const escapeInvisible = (text: string): string => text.replace(invisible, escapeCharacter)

/** A JSON value on one line, safe to print, cut at 200 characters. `from` starts a long one later. */
export const formatValue = (value: JsonValue | undefined, from = 0): string => {
  const text = JSON.stringify(value) ?? ''
  const start = text.length > most ? Math.min(from, text.length - most) : 0
  const end = start + most
  return `${start > 0 ? '…' : ''}${escapeInvisible(text.slice(start, end))}${end < text.length ? '…' : ''}`
}

/** One line: `messages[0].content: "a" → "b"`, `tools[2]: added {…}`. Long values show where they differ. */
export const formatDifference = ({ path, kind, before, after }: Difference): string => {
  const where = escapeInvisible(path === '' ? '(root)' : path)
  if (kind === 'added') return `${where}: added ${formatValue(after)}`
  if (kind === 'removed') return `${where}: removed ${formatValue(before)}`
  const from = Math.max(0, firstDifference(JSON.stringify(before) ?? '', JSON.stringify(after) ?? '') - lead)
  return `${where}: ${formatValue(before, from)} → ${formatValue(after, from)}`
}

const firstDifference = (one: string, other: string): number => {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}
