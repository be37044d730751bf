import { formatPath, isJsonObject, type JsonPath, type JsonValue } from '@retake/trace'
import { alignLists } from './align.ts'
import type { Difference } from './difference.ts'
import { equalJson } from './equal-json.ts'
import { likenessOfValues } from './likeness.ts'

/** Where a value stands in the recorded and in the received document. */
export interface Place {
  before: JsonPath
  after: JsonPath
}

/**
 * All differences of two JSON values, deepest paths first found first. Arrays are aligned, so an item inserted in front
 * is one difference. The order of object members does not count.
 */
export const compareValues = (before: JsonValue, after: JsonValue): Difference[] => {
  const differences: Difference[] = []
  collectDifferences(before, after, { before: [], after: [] }, differences)
  return differences
}

const below = (place: Place, before: string | number, after: string | number): Place => ({
  before: [...place.before, before],
  after: [...place.after, after],
})

export const pushAdded = (path: JsonPath, after: unknown, differences: Difference[]): void => {
  differences.push({ path: formatPath(path), kind: 'added', after: after as JsonValue })
}

export const pushRemoved = (path: JsonPath, before: unknown, differences: Difference[]): void => {
  differences.push({ path: formatPath(path), kind: 'removed', before: before as JsonValue })
}

/** `compareValues` below a place. An absent value is `undefined`. */
export const collectDifferences = (before: unknown, after: unknown, place: Place, differences: Difference[]): void => {
  if (equalJson(before, after)) return
  if (before === undefined) pushAdded(place.after, after, differences)
  else if (after === undefined) pushRemoved(place.before, before, differences)
  else if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collectDifferences(ownMember(before, key), ownMember(after, key), below(place, key, key), differences)
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    collectItems(before, after, place, differences)
  } else {
    differences.push({
      path: formatPath(place.after),
      kind: 'changed',
      before: before as JsonValue,
      after: after as JsonValue,
    })
  }
}

const ownMember = (object: Record<string, JsonValue>, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

const collectItems = (before: JsonValue[], after: JsonValue[], place: Place, differences: Difference[]): void => {
  const aligned = alignLists(before, after, { equal: equalJson, likeness: likenessOfValues })
  for (const { before: one, after: other, equal } of aligned) {
    if (equal) continue
    collectDifferences(
      one === undefined ? undefined : before[one],
      other === undefined ? undefined : after[other],
      below(place, one ?? 0, other ?? 0),
      differences,
    )
  }
}
