import { compareValues, type Difference } from '@retake/compare'
import { isJsonObject, type JsonValue, readJson } from '@retake/trace'
import type { FormatDiff } from '../run-format.ts'
import { parseAgentskit } from './read-fixture.ts'

/** One fixture as text and by name. */
export interface NamedText {
  text: string
  path: string
}

/**
 * Two fixtures, entry by entry and then decision by decision. Ids and times of messages, and times of decisions, do not
 * count.
 */
export function diffFixtures(first: NamedText, second: NamedText): FormatDiff {
  const [before, after] = [first, second].map(toComparable) as [Comparable, Comparable]
  const entries = compareLists('cassette.entries', before.entries, after.entries)
  const offset = Math.max(before.entries.length, after.entries.length)
  const traces = compareLists('traces', before.traces, after.traces)
  const differences = [...entries, ...traces.map((one) => ({ ...one, step: one.step + offset }))]
  return { firstDivergence: differences[0]?.step ?? null, differences }
}

interface Comparable {
  entries: JsonValue[]
  traces: JsonValue[]
}

function toComparable({ text, path }: NamedText): Comparable {
  parseAgentskit(text, path)
  const value = readJson(text, path)
  const fixture = isJsonObject(value) ? value : {}
  const cassette = isJsonObject(fixture.cassette) ? fixture.cassette : fixture
  return {
    entries: listOf(cassette.entries).map(withoutMessageIds),
    traces: listOf(fixture.traces).map((trace) => without(trace, ['at'])),
  }
}

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : [])

const without = (value: JsonValue, names: string[]): JsonValue =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name))) : value

const withoutMessageIds = (entry: JsonValue): JsonValue => {
  if (!isJsonObject(entry) || !isJsonObject(entry.request)) return entry
  const messages = listOf(entry.request.messages).map((message) => without(message, ['id', 'createdAt']))
  return { ...entry, request: { ...entry.request, messages } }
}

const compareLists = (name: string, before: JsonValue[], after: JsonValue[]): (Difference & { step: number })[] =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, step) => {
    const [one, other] = [before[step], after[step]]
    const at = `${name}[${step}]`
    if (one === undefined) return [{ step, path: at, kind: 'added' as const, after: other ?? null }]
    if (other === undefined) return [{ step, path: at, kind: 'removed' as const, before: one }]
    return compareValues(one, other).map((found) => ({ ...found, step, path: below(at, found.path) }))
  }).flat()

const below = (at: string, path: string): string => (path === '' || path.startsWith('[') ? at + path : `${at}.${path}`)
