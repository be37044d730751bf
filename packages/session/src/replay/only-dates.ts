import type { Difference } from '@retake/compare'

/** True where two requests say the same, but for dates and times. */
export const onlyDatesDiffer = (differences: readonly Difference[]): boolean =>
  differences.length > 0 &&
  differences.every(({ kind, before, after }) => kind === 'changed' && withoutDates(before) === withoutDates(after))

const locales = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv']
let names: string | undefined

/** Names of months and days, the longest first. */
function dateNames(): string {
  if (names !== undefined) return names
  const found = new Set<string>()
  for (const locale of locales) {
    for (const style of ['long', 'short'] as const) {
      const month = new Intl.DateTimeFormat(locale, { month: style, timeZone: 'UTC' })
      const day = new Intl.DateTimeFormat(locale, { weekday: style, timeZone: 'UTC' })
      for (let n = 0; n < 12; n++) found.add(month.format(Date.UTC(2024, n, 1)))
      for (let n = 1; n <= 7; n++) found.add(day.format(Date.UTC(2024, 0, n)))
    }
  }
  const escaped = [...found].map((name) => name.replaceAll('.', '\\.'))
  names = escaped.sort((one, other) => other.length - one.length).join('|')
  return names
}

/** The value as text, with one mark for each run of what belongs to a date. */
function withoutDates(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const parts = [
    '\\d{4}-\\d{2}-\\d{2}(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?)?(?:Z|[+-]\\d{2}:?\\d{2})?',
    '\\d{1,4}[./]\\s?\\d{1,2}[./]\\s?\\d{2,4}',
    '\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\s?[ap]\\.?m\\b\\.?)?',
    // Seconds or milliseconds since the epoch.
    '\\b[1-9]\\d{9}(?:\\d{3})?\\b',
    `(?:(?<!\\p{L})(?:${dateNames()})(?!\\p{L})[.,]?\\s+)+(?:\\d{1,2}(?:st|nd|rd|th)?[.,]?\\s+)?(?:\\d{4}\\b)?`,
    `\\d{1,2}(?:st|nd|rd|th|\\.)?\\s+(?:de\\s+)?(?:${dateNames()})(?!\\p{L})[.,]?(?:\\s+(?:de\\s+)?\\d{4}\\b)?`,
    `(?<!\\p{L})(?:${dateNames()})(?!\\p{L})`,
    '\\b(?:19|20)\\d{2}\\b',
  ]
  const date = new RegExp(`(?:${parts.join('|')})`, 'giu')
  return text.replace(date, '\0').replace(/\0(?:[\s,.]*\0)+/g, '\0')
}
