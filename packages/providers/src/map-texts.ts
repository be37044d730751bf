import type { JsonValue } from '@retake/trace'

/** A copy with every text in it changed; names of members stay. */
export const mapTexts = (value: JsonValue, change: (text: string) => string): JsonValue => {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]))
}
