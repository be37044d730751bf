import { isJsonObject, type JsonPath, type JsonValue, parseJson } from '@retake/trace'
import { type RedactRules, redacted } from './redact-rules.ts'

/** Where a value stands. `own` is its path inside its tool call or result, by which it can be named as well. */
export interface Place {
  path: JsonPath
  own?: JsonPath
  /** True below a place that is hidden as a whole. */
  hidden?: boolean
}

/** A member or an item of a place; hidden if it is, or if a path names it. */
export function below(rules: RedactRules, place: Place, key: string | number): Place {
  const path = [...place.path, key]
  const own = place.own && [...place.own, key]
  return {
    path,
    ...(own && { own }),
    hidden: place.hidden || rules.hides(path) || (own !== undefined && rules.hides(own)),
  }
}

export const redactText = (rules: RedactRules, text: string, { path, hidden }: Place): string =>
  hidden ? redacted : rules.text(text, path)

/** A value of the user's: every text in it, member names included; what is hidden as a whole keeps its shape only. */
export function redactValue(rules: RedactRules, value: JsonValue, place: Place): JsonValue {
  if (typeof value === 'string') return redactText(rules, value, place)
  if (Array.isArray(value)) return mapped(value, (item, at) => redactValue(rules, item, below(rules, place, at)))
  if (isJsonObject(value)) return redactMembers(rules, value, place)
  return place.hidden && value !== null ? redacted : value
}

/** Agents send the result of a tool as JSON text: a path reaches into it. */
export function redactJsonText(rules: RedactRules, value: JsonValue, place: Place): JsonValue {
  if (typeof value !== 'string' || !rules.hasPaths || place.hidden || !/^\s*[[{]/.test(value)) return value
  const parsed = parseJson(value)
  if (parsed === undefined) return value
  const changed = redactValue({ ...rules, text: (text) => text, name: (name) => name }, parsed, place)
  return changed === parsed ? value : JSON.stringify(changed)
}

function redactMembers(rules: RedactRules, value: { [name: string]: JsonValue }, place: Place): JsonValue {
  const names = new Set<string>()
  let isSame = true
  const entries = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const changed = redactValue(rules, member, below(rules, place, name))
    const newName = unused(rules.name(name), names)
    isSame &&= changed === member && newName === name
    return [newName, changed]
  })
  return isSame ? value : Object.fromEntries(entries)
}

/** Two names that become the same stay two members. */
function unused(name: string, names: Set<string>): string {
  let free = name
  for (let n = 2; names.has(free); n++) free = `${name} ${n}`
  names.add(free)
  return free
}

/** The same array where nothing changed. */
function mapped<T>(items: readonly T[], change: (item: T, at: number) => T): T[] {
  const changed = items.map(change)
  return changed.every((item, at) => item === items[at]) ? (items as T[]) : changed
}
